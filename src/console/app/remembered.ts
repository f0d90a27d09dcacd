/** A choice that this browser remembers; nothing is remembered where its storage is off. */
export interface Remembered {
  read(): string | null;
  write(value: string): void;
}

/** A remembered choice by its name. Never holds a key or anything of a session. */
export const remembered = (name: string): Remembered => {
  const key = `tripact.console.${name}`;
  return {
    read: () => {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write: (value) => {
      try {
        localStorage.setItem(key, value);
      } catch {}
    },
  };
};
