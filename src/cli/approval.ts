import type { TurnRequest } from '../../contracts/http.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { printable } from '../lib/printable.ts';

/** What a person says: an input, or a decision about an action. */
export type Said = Pick<TurnRequest, 'input' | 'decision'>;

/** A line that asks to change the action's input before it runs. */
const EDIT = /^\s*(e|edit|改|编辑|修改)\s*$/i;

/** Keys that stand for an answer which the service knows by its word. */
const KEYS: Record<string, string> = { a: 'always' };

/** The terminal's texts in the language that a turn's question is asked in. */
export const terminalTexts = ({ options }: Pick<TurnView, 'options'>): Messages['terminal'] => {
  const isChinese = options?.includes(messages('zh').questions.approved) === true;
  return messages(isChinese ? 'zh' : 'en').terminal;
};

/** True for a line that is no answer to an approval yet: the new input comes next. */
export const isEdit = (line: string): boolean => EDIT.test(line);

/** An answer to an approval as the service knows it. */
export const approvalAnswer = (line: string): string => KEYS[line.trim().toLowerCase()] ?? line;

/** An action's input as a line to start from; empty where one line can not show it as it is. */
export const editableInput = (input: string): string =>
  printable(input) === input && !/[\n\t]/.test(input) ? input : '';

/** Lines that leave a conversation, and are never sent; as the new input of an action they are a text like any other. */
const LEAVE = /^\s*(\/?(exit|quit)|退出)\s*$/i;

/** What a line of a conversation comes to: something to send, a line to ask for with a prompt and a text to change, or the end. */
export type ReadLine = { said: Said } | { prompt: string; text: string } | 'leave';

/** Reads the lines of a conversation in which an action may wait for approval. */
export interface ApprovalLines {
  /** A turn was answered. */
  replied(turn: TurnView): void;
  /** An answer was sent: nothing waits any more, as far as is known here. */
  answered(): void;
  /** Null for a blank line, which says nothing. */
  read(line: string): ReadLine | null;
}

/** Keeps what waits for approval, and whether the next line is another input for it. */
export const createApprovalLines = (): ApprovalLines => {
  let asking: TurnView | null = null;
  let isEditing = false;
  return {
    replied: (turn) => {
      if (turn.approval !== null) asking = turn;
      else if (turn.status !== 'ran' || turn.task !== null) asking = null;
    },
    answered: () => {
      asking = null;
    },
    read: (line) => {
      const wasEditing = isEditing;
      isEditing = false;
      if (line.trim() === '') return null;
      if (!wasEditing && LEAVE.test(line)) return 'leave';
      if (asking?.approval == null) return { said: { input: line } };
      if (wasEditing) return { said: { decision: { type: 'edit', input: line } } };
      isEditing = isEdit(line);
      if (!isEditing) return { said: { input: approvalAnswer(line) } };
      return { prompt: terminalTexts(asking).newInput, text: editableInput(asking.approval.input) };
    },
  };
};
