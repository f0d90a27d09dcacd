import { type Signal, signal } from '@preact/signals';

const known = new Map<string, Signal<readonly File[]>>();

/** The files that go with the unsent text of a field, by its draft's name. Only this page's memory has them. */
export const attachedTo = (draft: string): Signal<readonly File[]> => {
  const files = known.get(draft) ?? signal<readonly File[]>([]);
  known.set(draft, files);
  return files;
};

const add = (attached: Signal<readonly File[]>, files: Iterable<File>): void => {
  attached.value = [...attached.value, ...files];
};

/** Takes the files of a paste. One that has a text too is a text: some programs add a picture of it. */
export const takePasted = (attached: Signal<readonly File[]>, event: ClipboardEvent): void => {
  const from = event.clipboardData;
  if (from === null || from.files.length === 0 || from.types.includes('text/plain')) return;
  event.preventDefault();
  add(attached, from.files);
};

/** Takes the files of a drop; null: the field takes none now. The browser never opens them in place of the page. */
export const takeDropped = (attached: Signal<readonly File[]> | null, event: DragEvent): void => {
  const files = event.dataTransfer?.files ?? [];
  if (files.length === 0) return;
  event.preventDefault();
  if (attached !== null) add(attached, files);
};
