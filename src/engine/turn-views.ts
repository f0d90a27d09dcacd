import { createHash } from 'node:crypto';
import type { TurnView } from '../../contracts/turn-view.ts';
import { iso } from '../lib/iso-time.ts';
import { type Decision, replyIn, statusIn, type TurnReply } from './change.ts';
import type { SubmittedTurn } from './session-image.ts';

/** A hash of all that a turn asks for, to tell a repeated request from another one under the same key; null without a key. */
export const bodyHash = ({ owner: _, idempotency_key, ...body }: SubmittedTurn): string | null => {
  if (idempotency_key === undefined) return null;
  const { session_id, input, decision, on_busy, timezone, confirm_plan, callback_url, planning, conversation } = body;
  return createHash('sha256')
    .update(
      JSON.stringify([
        session_id,
        decision ?? input,
        on_busy,
        timezone,
        confirm_plan,
        callback_url,
        planning,
        conversation,
      ]),
    )
    .digest('base64url');
};

const replied = ({ status, output, question, options, task }: TurnReply) => ({
  status,
  output,
  question,
  options,
  approval: status === 'asking' ? (task?.approval ?? null) : null,
  task,
});

/** A decision adds or finishes a turn: most do not. */
const hasTurns = ({ changes }: Decision): boolean =>
  changes.some(({ type }) => type === 'turn.added' || type === 'turn.finished');

const NONE: readonly TurnView[] = [];

/** The turns that a decision added or finished, as the API shows them from now on. */
export const turnsOf = (decision: Decision): readonly TurnView[] => {
  if (!hasTurns(decision)) return NONE;
  const { changes, image, at } = decision;
  const views = new Map<string, TurnView>();
  for (const change of changes)
    if (change.type === 'turn.added') {
      const { turn, as, task_id } = change;
      const reply = replyIn(as);
      const added: TurnView = {
        id: turn.turn_id,
        session_id: image.session.session_id,
        task_id,
        kind: typeof as === 'string' ? 'task' : 'command',
        input: turn.input,
        status: statusIn(as),
        output: null,
        question: null,
        options: null,
        approval: null,
        task: null,
        created_at: iso(at),
        finished_at: null,
      };
      views.set(turn.turn_id, reply === null ? added : { ...added, ...replied(reply), finished_at: iso(at) });
    } else if (change.type === 'turn.finished') {
      const { turn, reply } = change;
      views.set(turn.turn_id, {
        id: turn.turn_id,
        session_id: image.session.session_id,
        task_id: turn.task_id,
        kind: turn.kind,
        input: turn.input,
        ...replied(reply),
        created_at: iso(turn.created_at),
        finished_at: iso(at),
      });
    }
  return [...views.values()];
};
