import {
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type Part,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import {
  A2AError,
  JsonRpcRequestMalformedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import type { Engine } from '../../../engine/port.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { CURSOR } from '../../../lib/page.ts';
import type { Submission } from '../../conversations.ts';
import { reportedProblem } from '../../problem.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { ProtocolParts } from '../port.ts';
import { renderTurn } from '../render-turn.ts';
import { RPC_TOO_MUCH, refuseMedia, requestKey, sessionNamed, textOf } from '../request.ts';
import { agentCard } from './agent-card.ts';
import { commandReply, historyOf, stateOf, taskOf, turnResponses } from './wire.ts';

/** Any error as A2A has it. What is the service's own fault is logged, and none of its text is shown. */
export const a2aError = (error: unknown, request: FastifyRequest): Error => {
  if (error instanceof A2AError) return error;
  const problem = reportedProblem(error as Error, request);
  const message = problem.detail;
  if (problem.status === 429) {
    const seconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
    const metadata: Record<string, string> = seconds === undefined ? {} : { retry_after: String(seconds) };
    // The newer version sends the metadata, the older one the data.
    return new JsonRpcRequestMalformedError({ message, envelopeCode: RPC_TOO_MUCH, metadata, data: [metadata] });
  }
  const code = error instanceof ServiceError ? error.code : null;
  if (code === 'TASK_NOT_FOUND' || code === 'SESSION_NOT_FOUND') return new TaskNotFoundError({ message });
  if (code === 'TASK_FINISHED') return new TaskNotCancelableError({ message });
  return problem.status < 500 ? new RequestMalformedError({ message }) : new Error(message);
};

/** The data of a user's message, by name: a decision about an approval, and the schema of the answer. */
const dataIn = (parts: readonly Part[]): Pick<Submission['turn'], 'decision' | 'answer_schema'> =>
  Object.assign({}, ...parts.map(({ content }) => (content?.$case === 'data' ? content.value : null)));

/** The turn of a user's message: words, or a decision about an approval as data `{"decision": {…}}`. Throws for one that says neither. */
const turnOf = (parts: readonly Part[]): Submission['turn'] => {
  if (parts.some(({ content }) => content?.$case === 'raw' || content?.$case === 'url')) refuseMedia();
  const { decision, answer_schema } = dataIn(parts);
  if (decision !== undefined) return { decision };
  const input = textOf(parts.map(({ content }) => ({ text: content?.$case === 'text' ? content.value : '' })));
  return { input, ...(answer_schema !== undefined && { answer_schema }) };
};

const PAGE_TASKS = 50;
const PAGE_TASKS_MAX = 100;

/** Tasks that are read of one context. */
const TASKS_READ_MAX = 1_000;

/** A page of an owner's tasks by context, the most recently used first. A context is never cut in two, so a page may be longer or shorter than asked for. */
const listTasks = async (
  engine: Pick<Engine, 'sessions' | 'tasks' | 'countTasks'>,
  owner: string,
  { contextId, status, pageSize = PAGE_TASKS, pageToken }: ListTasksRequest,
): Promise<ListTasksResponse> => {
  if (pageSize < 1 || pageSize > PAGE_TASKS_MAX)
    throw new RequestMalformedError(`pageSize must be 1 to ${PAGE_TASKS_MAX}`);
  if (pageToken !== '' && (contextId !== '' || !CURSOR.test(pageToken)))
    throw new RequestMalformedError('pageToken is not known');
  const named = contextId === '' ? null : sessionNamed(contextId);
  const isAny = status === TaskState.TASK_STATE_UNSPECIFIED || status === TaskState.UNRECOGNIZED;
  const isWanted = (state: TaskState | undefined): boolean => isAny || status === state;

  const { items, next } =
    named === null
      ? await engine.sessions(owner, { limit: pageSize, after: pageToken || undefined })
      : { items: [{ session_id: named }], next: null };
  const listed = items.map(async ({ session_id }) => {
    const page = await engine.tasks(owner, session_id, { limit: TASKS_READ_MAX });
    return page.items.map((task) => taskOf(task, session_id, null)).reverse();
  });
  const tasks = (await Promise.all(listed)).flat().filter((task) => isWanted(task.status?.state));
  const counts = await engine.countTasks(owner, named);
  const totalSize = counts
    .filter(({ state, outcome }) => isWanted(stateOf({ state: state === 'running' ? 'acting' : state, outcome })))
    .reduce((sum, { count }) => sum + count, 0);
  return { tasks, nextPageToken: next ?? '', pageSize, totalSize };
};

/** Answers one request's calls, and throws errors of A2A. A2A's ids are ours: a context is a session, a task is a task. */
export const createRequestHandler = (
  parts: ProtocolParts,
  request: FastifyRequest,
  reply: FastifyReply,
): A2ARequestHandler => {
  const { engine, conversations, waiting, streams } = parts;
  const { owner } = request;
  const left = disconnectSignal(reply);

  const knownTask = async (taskId: string) => {
    const { session_id, turns } = await conversations.turnsOf(owner, taskId);
    return { session_id, turns, turn: turns[0] ?? null, task: await engine.task(owner, taskId) };
  };

  /** The turn of a message to a task: it answers it, lets it go on where it is paused, and joins what it does where it runs. */
  const turnInTask = async ({ taskId, contextId, parts: said }: Message) => {
    const { task, session_id } = await knownTask(taskId);
    if (contextId !== '' && sessionNamed(contextId) !== session_id)
      throw new RequestMalformedError('message.taskId is of another context than message.contextId');
    if (task.phase === 'done')
      throw new UnsupportedOperationError(
        `Task ${taskId} has ended; send a message without its id in the context ${session_id} to go on from it`,
      );
    const turn = task.state === 'paused' ? { input: `/resume ${taskId}` } : turnOf(said);
    return { session_id, turn: { ...turn, on_busy: 'steer' as const } };
  };

  const submit = async ({ message, configuration }: SendMessageRequest, isWatched: boolean): Promise<TurnView> => {
    const { messageId = '', taskId = '', contextId = '', parts: said = [] } = message ?? {};
    if (message === undefined || messageId === '') throw new RequestMalformedError('message.messageId is missing');
    if (configuration?.taskPushNotificationConfig !== undefined) throw new PushNotificationNotSupportedError();
    // Without a context a session of its own, the same again when the message is sent again.
    const session_id = sessionNamed(contextId || `a2a message ${messageId}`);
    const asked = taskId === '' ? { session_id, turn: turnOf(said) } : await turnInTask(message);
    const idempotency_key = requestKey('a2a-', [messageId]);
    return (await conversations.submit(request, reply, { ...asked, idempotency_key, isWatched })).turn;
  };

  const finished = async ({ id, session_id }: TurnView, historyLength?: number): Promise<Message | Task> => {
    const ended = await engine.wait(owner, id, left);
    if (ended.task === null) return commandReply(ended);
    const { turns } = await conversations.turnsOf(owner, ended.task.id);
    return { ...taskOf(ended.task, session_id, ended), history: historyOf(turns, historyLength) };
  };

  /** The task as soon as there is one: a turn that waits in the queue has none yet. */
  const begun = async (turn: TurnView): Promise<Message | Task> => {
    for await (const update of conversations.updates(owner, turn, left))
      if (update.type === 'task') return taskOf(update.task, turn.session_id, null);
    return finished(turn);
  };

  const rendered = (turn: TurnView) => renderTurn(conversations.updates(owner, turn, left, true), turnResponses(turn));

  async function* sendStream(params: SendMessageRequest): AsyncGenerator<StreamResponse> {
    streams.take(request, reply);
    yield* rendered(await submit(params, true));
  }

  async function* subscribe(id: string): AsyncGenerator<StreamResponse> {
    const { task, session_id, turn } = await knownTask(id);
    if (task.phase === 'done') throw new UnsupportedOperationError(`Task ${id} has ended; get it instead`);
    streams.take(request, reply);
    if (turn === null || turn.finished_at !== null)
      yield { payload: { $case: 'task', value: taskOf(task, session_id, turn) } };
    else yield* rendered(turn);
  }

  const answered = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw a2aError(error, request);
    });

  const send = async (params: SendMessageRequest): Promise<Message | Task> => {
    waiting.take(request, reply);
    const turn = await submit(params, false);
    const { returnImmediately, historyLength } = params.configuration ?? {};
    return returnImmediately === true ? begun(turn) : finished(turn, historyLength);
  };
  const getTask = async ({ id, historyLength }: GetTaskRequest): Promise<Task> => {
    const { task, session_id, turn, turns } = await knownTask(id);
    return { ...taskOf(task, session_id, turn), history: historyOf(turns, historyLength) };
  };
  const cancel = async (id: string): Promise<Task> => {
    const { session_id } = await conversations.turnsOf(owner, id);
    return taskOf(await engine.cancel(owner, id), session_id, null);
  };
  const withoutPushes = async (): Promise<never> => {
    throw new PushNotificationNotSupportedError();
  };

  return {
    getAgentCard: async () => agentCard(request, parts),
    getAuthenticatedExtendedAgentCard: async () => agentCard(request, parts),
    sendMessage: (params) => answered(send(params)),
    // An error of a stream becomes one of A2A where it is written.
    sendMessageStream: sendStream,
    getTask: (params) => answered(getTask(params)),
    listTasks: (params) => answered(listTasks(engine, owner, params)),
    cancelTask: ({ id }) => answered(cancel(id)),
    resubscribe: ({ id }) => subscribe(id),
    createTaskPushNotificationConfig: withoutPushes,
    getTaskPushNotificationConfig: withoutPushes,
    listTaskPushNotificationConfigs: withoutPushes,
    deleteTaskPushNotificationConfig: withoutPushes,
  };
};
