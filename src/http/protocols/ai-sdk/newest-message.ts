import { questionId } from '../../../projections/question-id.ts';
import { unless } from '../../unless.ts';
import type { Conversations } from '../port.ts';
import type { MessageTurn } from './message-turn.ts';
import { answerKey } from './submit-chat.ts';

/** Turns of a session that are read to find a running message: one with more questions and commands is shown from a later one on. */
const TURNS_READ = 50;

/**
 * The message that is running: its turns from the one that began it on, each of which the next one answers. Where none runs, the
 * newest one if `orFinished`, else none.
 */
export const newestMessage = async (
  conversations: Conversations,
  owner: string,
  session: string,
  orFinished: boolean,
): Promise<MessageTurn[]> => {
  const page = await unless(['SESSION_NOT_FOUND'], conversations.turns(owner, session, { limit: TURNS_READ }));
  const turns = page?.items ?? [];
  const running = turns.findIndex(({ finished_at }) => finished_at === null);
  const at = running === -1 && orFinished ? 0 : running;
  if (turns[at] === undefined) return [];
  const message: MessageTurn[] = [{ turn: turns[at], answers: null, isAnswerShown: true }];
  for (const turn of turns.slice(at + 1)) {
    const next = message[0]!;
    const asked = turn.task === null || turn.task_id !== next.turn.task_id ? null : questionId(turn.task);
    if (asked === null) continue;
    const answer = await conversations.turnByKey(owner, answerKey(session, asked));
    if (answer?.id !== next.turn.id) break;
    next.answers = asked;
    message.unshift({ turn, answers: null, isAnswerShown: true });
  }
  return message;
};
