import { createHash } from 'node:crypto';
import type { AttachedFile } from '../../contracts/file.ts';
import { answerOf, type TurnStatus, type TurnView } from '../../contracts/turn-view.ts';
import { iso, isoOrNull } from '../lib/iso-time.ts';
import type { Decision, TurnReply } from './change.ts';
import type { OpenTurn, SubmittedTurn } from './image.ts';

/** A turn whose files' bytes are known by their hashes. */
export type HashedTurn = Omit<SubmittedTurn, 'files'> & { files?: readonly Pick<AttachedFile, 'sha256'>[] | undefined };

/** A hash of everything that a turn asks for, to detect a different request with the same key; null without a key. */
export const bodyHash = ({ owner: _, idempotency_key, ...body }: HashedTurn): string | null => {
  if (idempotency_key === undefined) return null;
  const { session_id, input, decision, on_busy, timezone, confirm_plan, callback_url, planning, conversation } = body;
  const { replan, tools, metadata, context, answer_schema, expires_in, plan, run, files, agent } = body;
  const hashed = [session_id, decision ?? input, on_busy, timezone, confirm_plan, callback_url, planning, conversation];
  // Bodies without these have the hash that earlier versions gave them.
  if ([replan, tools, metadata, context].some((given) => given !== undefined))
    hashed.push(JSON.stringify([replan, tools, metadata, context]));
  if (answer_schema !== undefined) hashed.push(JSON.stringify(answer_schema));
  if (expires_in !== undefined) hashed.push(String(expires_in));
  if (plan !== undefined) hashed.push(JSON.stringify({ plan }));
  if (run !== undefined) hashed.push(JSON.stringify({ run }));
  if (files !== undefined) hashed.push(JSON.stringify({ files: files.map(({ sha256 }) => sha256) }));
  if (agent !== undefined) hashed.push(JSON.stringify({ agent }));
  return createHash('sha256').update(JSON.stringify(hashed)).digest('base64url');
};

/** A turn as the API shows it. Without a reply it has no output. `finished_at` in epoch milliseconds. */
export const turnView = (
  { turn_id: id, task_id, kind, input, options: kept, created_at }: Omit<OpenTurn, 'callback_url'>,
  session_id: string,
  status: TurnStatus,
  reply: TurnReply | null,
  finished_at: number | null,
): TurnView => {
  const { ok, output, question = null, options = null, task = null }: Partial<TurnReply> = reply ?? {};
  const toolQuestion = status === 'asking' ? task?.tool_question : undefined;
  const approval = status === 'asking' ? (task?.approval ?? null) : null;
  return {
    id,
    session_id,
    task_id,
    kind,
    input,
    ...(kept.decision !== undefined && { decision: kept.decision }),
    ...(kept.metadata !== undefined && { metadata: kept.metadata }),
    ...(kept.files !== undefined && { files: kept.files }),
    ...(kept.by !== undefined && { by: kept.by }),
    status,
    ...(ok === false && { ok }),
    output: output ?? null,
    ...answerOf(status, task),
    question,
    options,
    approval,
    ...(toolQuestion !== undefined && { tool_question: toolQuestion }),
    task,
    created_at: iso(created_at),
    finished_at: isoOrNull(finished_at),
  };
};

/** The turns that a decision added or finished, as the API shows them from now on. */
export const turnsOf = ({ changes, image, at }: Decision): readonly TurnView[] => {
  const views = new Map<string, TurnView>();
  for (const change of changes) {
    if (change.type !== 'turn.added' && change.type !== 'turn.finished') continue;
    const { turn, reply } = change;
    const status = change.type === 'turn.added' ? change.status : change.reply.status;
    views.set(turn.turn_id, turnView(turn, image.session.session_id, status, reply, reply && at));
  }
  return [...views.values()];
};

/** The turn that a decision stored, as the API shows it. */
export const turnIn = (decision: Decision, turnId: string): TurnView => {
  const turn = turnsOf(decision).find(({ id }) => id === turnId);
  if (turn === undefined) throw new Error(`turn ${turnId} was committed and is not there`);
  return turn;
};
