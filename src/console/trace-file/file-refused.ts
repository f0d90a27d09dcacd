/** A file that is not opened; its message says why, in the user's language. */
export class FileRefused extends Error {}
