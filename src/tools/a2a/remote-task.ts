import { type Message, type Part, type Task, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { fileOfDataUrl } from '../../../contracts/file.ts';
import { plainLine, withoutEscapes } from '../../../contracts/text.ts';
import { printable } from '../../lib/printable.ts';
import type { ToolFile } from '../port.ts';

const NAME_CHARS_MAX = 100;

const textOfPart = ({ content, filename, mediaType }: Part, media: (name: string) => string): string => {
  if (content?.$case === 'text') return content.value;
  if (content?.$case === 'data') return JSON.stringify(content.value);
  return media(plainLine(filename || mediaType || '?', NAME_CHARS_MAX));
};

/** The words of an agent, without control characters. */
export const textOf = (parts: readonly Part[] | undefined, media: (name: string) => string): string =>
  printable(withoutEscapes((parts ?? []).map((part) => textOfPart(part, media)).join('\n')))
    .trim()
    .toWellFormed();

/** The end of a task: its artifacts and its agent's last words. */
export const resultOf = ({ artifacts, status }: Task, media: (name: string) => string): string =>
  [...artifacts.map(({ parts }) => textOf(parts, media)), textOf(status?.message?.parts, media)]
    .filter((text) => text !== '')
    .join('\n\n');

/** The files whose bytes an agent sent. Addresses of others are named in its words, and never fetched. */
export const filesIn = (parts: readonly Part[] | undefined): ToolFile[] =>
  (parts ?? []).flatMap(({ content, filename }): ToolFile[] => {
    const name = filename === '' ? {} : { name: filename };
    if (content?.$case === 'raw') return [{ ...name, data: content.value.toString('base64') }];
    const file = content?.$case === 'url' ? fileOfDataUrl(content.value) : null;
    return file === null ? [] : [{ ...name, data: file.data }];
  });

export const filesOf = ({ artifacts, status }: Task): ToolFile[] => [
  ...artifacts.flatMap(({ parts }) => filesIn(parts)),
  ...filesIn(status?.message?.parts),
];

/** Tells one stop of a task from the next; undefined: the agent says nothing that does. */
export const stopOf = ({ status }: Task): string | undefined =>
  status?.timestamp ?? (status?.message?.messageId || undefined);

export const stateOf = ({ status }: Task): TaskState => status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;

/** A state in the protocol's own word, such as `failed`. */
export const stateName = (state: TaskState): string => taskStateToJSON(state).replace('TASK_STATE_', '').toLowerCase();

export const isTask = (result: Message | Task): result is Task => 'status' in result;
