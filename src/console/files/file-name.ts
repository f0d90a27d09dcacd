/** A file's name, without its folders. */
export const fileNameOf = ({ path }: { path: string }): string => path.slice(path.lastIndexOf('/') + 1);
