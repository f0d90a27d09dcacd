import {
  CONVERSATION_CHARS_MAX,
  CONVERSATION_TEXT_CHARS_MAX,
  CONVERSATION_TURNS_MAX,
  type Conversation,
  type ConversationTurn,
} from '../contracts/conversation.ts';
import { cutText } from './cut-text.ts';

/**
 * The conversation that a task is opened with, of a session's finished task turns, oldest first: the last ones, each text cut, and the
 * oldest left out first where all are too long together (SPEC 3).
 */
export const conversationOf = (turns: ConversationTurn[]): Conversation => {
  const kept: Conversation = [];
  let chars = 0;
  for (const { said, answered } of turns.slice(-CONVERSATION_TURNS_MAX).toReversed()) {
    const turn = {
      said: cutText(said, CONVERSATION_TEXT_CHARS_MAX),
      answered: cutText(answered, CONVERSATION_TEXT_CHARS_MAX),
    };
    chars += turn.said.length + turn.answered.length;
    if (chars > CONVERSATION_CHARS_MAX) break;
    kept.unshift(turn);
  }
  return kept;
};
