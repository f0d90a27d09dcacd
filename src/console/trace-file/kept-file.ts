import { openDraft } from '../state/remembered.ts';

/** The time at which this tab's file was stored, which is its key: a reload finds it again, another tab does not. */
const place = openDraft('trace-file');

const STORE = 'files';

/** How long a file is stored, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

const answered = <Value>(asked: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

const openStore = async (): Promise<IDBObjectStore> => {
  const asked = indexedDB.open('tripact.trace-files', 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  return (await answered(asked)).transaction(STORE, 'readwrite').objectStore(STORE);
};

/** Stores the shown file in this browser for a day, only for this tab. Does nothing if the browser's storage is off. */
export const keepFile = async (file: File): Promise<void> => {
  const now = Date.now() + Math.random();
  try {
    const store = await openStore();
    store.delete(IDBKeyRange.upperBound(now - KEPT_MS));
    await answered(store.put(file, now));
    place.value = String(now);
  } catch {}
};

/** The file that this tab showed before a reload; null: none, or no longer stored. */
export const keptFile = async (): Promise<File | null> => {
  try {
    return place.value === '' ? null : ((await answered((await openStore()).get(Number(place.value)))) ?? null);
  } catch {
    return null;
  }
};

/** Stores no file for this tab any more. */
export const forgetFile = async (): Promise<void> => {
  const key = Number(place.value);
  place.value = '';
  try {
    (await openStore()).delete(key);
  } catch {}
};
