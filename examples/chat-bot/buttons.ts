import { textsFor } from './texts.ts';
import type { Turn, TurnRequest } from './tripact.ts';

/** The meaning of a button. It names its turn, so that it means the same for ever, whatever the bot remembers. */
export type Action =
  | { kind: 'answer'; turn: string; option: number }
  | { kind: 'continue'; turn: string }
  | { kind: 'stop'; turn: string };

/** A button as a platform shows it. */
export interface Button {
  label: string;
  action: string;
}

/** Short, because Telegram keeps 64 bytes with a button. */
export const encodeAction = (action: Action): string =>
  `${action.kind.charAt(0)}:${action.turn}${action.kind === 'answer' ? `:${action.option}` : ''}`;

/** The action that a button carries; null for one that is not the bot's, or was tampered with. Feishu's carry JSON. */
export const decodeAction = (value: string): Action | null => {
  const text = value.replace(/^\{"tripact":"(.*)"\}$/, '$1');
  const [, kind, turn = '', option] = /^([acs]):(\w{1,64})(?::(\d{1,3}))?$/.exec(text) ?? [];
  if (kind === 'a') return option === undefined ? null : { kind: 'answer', turn, option: Number(option) };
  if (kind === undefined || option !== undefined) return null;
  return { kind: kind === 'c' ? 'continue' : 'stop', turn };
};

/** The button that stops what a turn runs. */
export const stopButton = (turn: string, sample: string): Button => ({
  label: textsFor(sample).stop,
  action: encodeAction({ kind: 'stop', turn }),
});

/** The buttons below a finished turn's reply. */
export const buttonsOf = ({ id: turn, status, options, output }: Turn): Button[] => {
  const sample = output ?? '';
  if (status === 'asking')
    return (options ?? []).map((label, option) => ({ label, action: encodeAction({ kind: 'answer', turn, option }) }));
  if (status !== 'paused') return [];
  return [
    { label: textsFor(sample).continue, action: encodeAction({ kind: 'continue', turn }) },
    stopButton(turn, sample),
  ];
};

/** Decisions of an approval's options, in Tripact's order: yes, no, always. */
const DECISIONS = ['approve', 'reject', 'approve_always'] as const;

/** The input that an option of a question stands for; null where there is no such option. */
export const answerOf = ({ approval, options }: Turn, option: number): TurnRequest | null => {
  const input = options?.[option];
  if (input === undefined) return null;
  const type = approval === null ? undefined : DECISIONS[option];
  return type === undefined ? { input } : { decision: { type } };
};

/** How a user edits the input of an action that waits for approval, by text. */
const EDIT = /^(?:\/edit\s+|edit[:：]\s*|改为[:：]?\s*)(\S[\s\S]*)$/i;

/** The edited input that a message gives for the action that waits; null where it is an ordinary message. */
export const editOf = (text: string): string | null => EDIT.exec(text)?.[1] ?? null;
