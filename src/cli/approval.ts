import type { TurnRequest } from '../../contracts/http.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { printable } from '../lib/printable.ts';

/** An input, or a decision about an action. */
export type Said = Pick<TurnRequest, 'input' | 'decision'>;

/** A line that asks to change the action's input before it runs. */
const EDIT = /^\s*(e|edit|改|编辑|修改)\s*$/i;

/** Lines that leave a conversation, and are never sent; as the new input of an action they are a text like any other. */
const LEAVE = /^\s*(\/?(exit|quit)|退出)\s*$/i;

/** The terminal's texts in the language that a turn's question is asked in. */
export const terminalTexts = ({ options }: Pick<TurnView, 'options'>): Messages['terminal'] => {
  const isChinese = options?.includes(messages('zh').questions.approved) === true;
  return messages(isChinese ? 'zh' : 'en').terminal;
};

/** A line to ask for with a prompt, and a text to change. */
export interface AskedLine {
  prompt: string;
  text: string;
}

/** The answer to an approval that a line gives, or the new input to ask for. */
export const approvalAnswer = (line: string, turn: TurnView): { said: Said } | AskedLine => {
  if (!EDIT.test(line)) return { said: { input: line.trim().toLowerCase() === 'a' ? 'always' : line } };
  const input = turn.approval?.input ?? '';
  // One line can not show every input as it is.
  const isOneLine = printable(input) === input && !/[\n\t]/.test(input);
  return { prompt: terminalTexts(turn).newInput, text: isOneLine ? input : '' };
};

/** Reads the lines of a conversation in which an action may wait for approval. */
export const createApprovalLines = () => {
  let asking: TurnView | null = null;
  let isEditing = false;
  return {
    /** A turn was answered. */
    replied: (turn: TurnView): void => {
      if (turn.approval !== null) asking = turn;
      else if (turn.status !== 'ran' || turn.task !== null) asking = null;
    },
    /** An answer was sent: nothing waits any more, as far as is known here. */
    answered: (): void => {
      asking = null;
    },
    /** Null for a blank line, which says nothing. */
    read: (line: string): { said: Said } | AskedLine | 'leave' | null => {
      const wasEditing = isEditing;
      isEditing = false;
      if (line.trim() === '') return null;
      if (!wasEditing && LEAVE.test(line)) return 'leave';
      if (asking === null) return { said: { input: line } };
      if (wasEditing) return { said: { decision: { type: 'edit', input: line } } };
      const answer = approvalAnswer(line, asking);
      isEditing = 'prompt' in answer;
      return answer;
    },
  };
};
