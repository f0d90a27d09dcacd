/** Tools, limits, usage and keys. */
export const SystemScreen = () => null;
