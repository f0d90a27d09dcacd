import { mayDecide } from '../../contracts/approver.ts';
import type { AttachedFile } from '../../contracts/file.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { pendingAction, pendingApprovers } from '../../machines/approvals.ts';
import { isContinuePhrase } from '../../machines/phrases.ts';
import { ServiceError, unless } from '../lib/errors.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { questionId } from '../projections/question.ts';
import { taskView } from '../projections/task-view.ts';
import { deciderOf, keyText, type SessionKey, type SubmittedTurn } from '../session/image.ts';
import type { IncomingTurn } from '../session/input.ts';
import { bodyHash, type HashedTurn, turnIn } from '../session/turn-views.ts';
import { KeyTaken, type Store } from '../store/port.ts';
import type { EngineParts } from './engine-parts.ts';
import { type CheckedTurn, createFileKeeping } from './keep-files.ts';
import { newId } from './new-id.ts';
import { askPolicy } from './perform/ask-policy.ts';
import { checkInput } from './perform/check-input.ts';
import type { Submitted } from './port.ts';
import type { RunningSessions } from './running-sessions.ts';

type Parts = Pick<EngineParts, 'leftPlan' | 'turnFiles' | 'hostTimezone' | 'now' | 'log'> & {
  effects: Pick<EngineParts['effects'], 'agentOf'>;
  store: Pick<Store, 'access' | 'loadTask'>;
};

/** Creates the function that submits turns: each gets an id, and goes to its session's actor; a repeated key returns the stored turn. */
export const createSubmit = (
  { effects: { agentOf }, leftPlan, turnFiles, hostTimezone, now, log, store }: Parts,
  { post, shown, reads }: Pick<RunningSessions, 'post' | 'shown' | 'reads'>,
) => {
  const keeping = createFileKeeping({ turnFiles, log }, { post, shown });

  const repeated = async (turn: HashedTurn): Promise<Submitted | null> => {
    if (turn.idempotency_key === undefined) return null;
    const known = await shown.turn(turn.owner, 'key', turn.idempotency_key);
    if (known === null) return null;
    if (known.body_hash === bodyHash(turn)) return { turn: known.turn, isNew: false };
    throw new ServiceError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another body; send a new key with a new request',
    );
  };

  /** The task of a session whose action waits for approval; null: none does. */
  const waitingTask = async (key: SessionKey): Promise<TaskSnapshot | null> => {
    const active = (await unless(['SESSION_NOT_FOUND'], reads.session(key.owner, key.session_id)))?.active_task ?? null;
    return active?.approval ? ((await store.loadTask(key, active.id))?.task ?? null) : null;
  };

  /**
   * An edited input as an answer to exactly the action that it was checked for. Throws `INVALID_REQUEST` if the tool
   * refuses it or its policy denies it; the action keeps waiting.
   */
  const withCheckedEdit = async (turn: CheckedTurn): Promise<CheckedTurn> => {
    const { owner, session_id, decision, timezone = hostTimezone } = turn;
    if (decision?.type !== 'edit') return turn;
    const task = await waitingTask({ owner, session_id });
    const pending = task && pendingAction(task.context);
    const tool = task && pending ? agentOf(task.context)?.tools.get(pending.tool) : undefined;
    // Its policy and its schema are asked for nobody whose decision is refused anyway.
    if (!task || tool === undefined || !mayDecide(pendingApprovers(task.context) ?? {}, owner, deciderOf(turn)))
      return turn;
    const { language, goal, exposed, metadata } = task.context;
    const call = { owner, session_id, timezone, language, metadata: turn.metadata ?? metadata, now: now() };
    const refusal = await checkInput(tool, decision.input, call);
    if (refusal !== null) throw new ServiceError('INVALID_REQUEST', refusal);
    const approval = await askPolicy(log, tool, decision.input, { ...call, goal, exposed });
    if (approval?.verdict === 'deny')
      throw new ServiceError('INVALID_REQUEST', messages(language).toolCalls.denied(tool.name, approval.reason));
    return { ...turn, answers: turn.answers ?? decision.approval ?? questionId(taskView(task)) ?? undefined };
  };

  /** Keeps the turns of a session in order of arrival: some turns read more before they are posted. */
  const inOrder = queueByKey();
  const looked = async (given: SubmittedTurn) => {
    const checked = await keeping.check(given);
    const known = await repeated(checked);
    if (known !== null) return known;
    const foundPlan =
      checked.plan === undefined && isContinuePhrase(checked.input) ? await leftPlan?.(checked) : undefined;
    const { files, ...turn } = await withCheckedEdit(checked);
    return { turn, files, leftPlan: foundPlan, quota: await store.access.quotas.of(turn.owner) };
  };

  type Looked = Exclude<Awaited<ReturnType<typeof looked>>, Submitted>;

  const postTurn = async (
    { turn, leftPlan: foundPlan, quota }: Looked,
    turn_id: string,
    files: AttachedFile[] | undefined,
  ): Promise<Submitted> => {
    const input: IncomingTurn = {
      type: 'turn',
      // A copy: a substring of a body would keep the whole body in memory while the turn runs.
      turn: { ...turn, input: structuredClone(turn.input), files, turn_id },
      task_id: newId('task', now()),
      cameWhileRunning: false,
      leftPlan: foundPlan,
      turnsPerDay: quota?.turns_per_day ?? null,
    };
    try {
      const decision = await post(turn, input, turn.timezone ?? hostTimezone);
      return { turn: turnIn(decision, turn_id), isNew: true };
    } catch (error) {
      // Another request with this key may have been stored while this one was in flight; both get that turn.
      const winner = await repeated({ ...turn, files });
      if (winner !== null) return winner;
      throw error;
    }
  };

  const submit = async (given: SubmittedTurn): Promise<Submitted> => {
    const turn_id = newId('turn', now());
    try {
      const found = await inOrder(keyText(given), async () => {
        const read = await looked(given);
        if ('isNew' in read || read.files === undefined) return read;
        return keeping.storeBefore(given, turn_id, read.files, (files) => postTurn(read, turn_id, files));
      });
      return 'isNew' in found ? found : await postTurn(found, turn_id, undefined);
    } catch (error) {
      // The turn with this key has been removed.
      if (error instanceof KeyTaken) return submit(given);
      throw error;
    }
  };
  return submit;
};
