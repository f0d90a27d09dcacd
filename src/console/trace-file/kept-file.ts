import { randomId } from '../api/request.ts';

/** This tab's name for its file: a reload finds it again, another tab does not. */
const TAB = 'tripact.console.trace-file';

const STORE = 'files';

/** How long a file is kept that no tab asks for again, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** Length of a tab's name for its file. */
const NAME_CHARS = 16;

interface Kept {
  file: File;
  /** In epoch milliseconds. */
  at: number;
}

const answered = <Value>(asked: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

const openStore = async (): Promise<IDBObjectStore> => {
  const asked = indexedDB.open('tripact.console', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  return (await answered(asked)).transaction(STORE, 'readwrite').objectStore(STORE);
};

const removeOld = async (store: IDBObjectStore): Promise<void> => {
  const keys = await answered(store.getAllKeys());
  const kept = (await answered(store.getAll())) as Kept[];
  for (const [i, key] of keys.entries()) if (Date.now() - (kept[i]?.at ?? 0) > KEPT_MS) store.delete(key);
};

/** True where this tab has a file that a reload shows again. */
export const hasKeptFile = (): boolean => {
  try {
    return sessionStorage.getItem(TAB) !== null;
  } catch {
    return false;
  }
};

/** Keeps the file that is shown in this browser for a day, for this tab alone. Nothing is kept where its storage is off. */
export const keepFile = async (file: File): Promise<void> => {
  try {
    const name = sessionStorage.getItem(TAB) ?? randomId(NAME_CHARS);
    const store = await openStore();
    await answered(store.put({ file, at: Date.now() } satisfies Kept, name));
    sessionStorage.setItem(TAB, name);
    await removeOld(store);
  } catch {}
};

/** The file that this tab showed before it was loaded again; null: none, or it is not kept any more. */
export const keptFile = async (): Promise<File | null> => {
  try {
    const name = sessionStorage.getItem(TAB);
    if (name === null) return null;
    const kept = (await answered((await openStore()).get(name))) as Kept | undefined;
    return kept?.file ?? null;
  } catch {
    return null;
  }
};
