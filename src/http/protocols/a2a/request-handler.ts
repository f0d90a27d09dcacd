import {
  type Artifact,
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
  ContentTypeNotSupportedError,
  JsonRpcRequestMalformedError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileOfDataUrl, type TurnFile } from '../../../../contracts/file.ts';
import { isSettled } from '../../../../contracts/task.ts';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { CURSOR } from '../../../lib/page.ts';
import { reportedProblem } from '../../server/problem.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { Submission } from '../conversations.ts';
import type { ProtocolParts } from '../port.ts';
import { renderTurn } from '../render-turn.ts';
import { ADDRESS_REFUSED, RPC_TOO_MUCH, requestKey, sessionNamed, textOf, wordsAndFiles } from '../request.ts';
import { writtenIn } from '../written-files.ts';
import { agentCard, agentIn, UNNAMED_VERSION } from './agent-card.ts';
import { commandReply, filesArtifact, historyOf, stateOf, statusUpdate, taskOf, turnResponses } from './wire.ts';

/** Any error in A2A's format. Logs the service's own faults and never shows their text. */
export const a2aError = (error: unknown, request: FastifyRequest): Error => {
  if (error instanceof A2AError) return error;
  const problem = reportedProblem(error as Error, request);
  const message = problem.detail;
  if (problem.status === 429) {
    const seconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
    const metadata: Record<string, string> = seconds === undefined ? {} : { retry_after: String(seconds) };
    // A2A 1.0 sends the metadata, 0.3 the data.
    return new JsonRpcRequestMalformedError({ message, envelopeCode: RPC_TOO_MUCH, metadata, data: [metadata] });
  }
  const code = error instanceof ServiceError ? error.code : null;
  if (code === 'TASK_NOT_FOUND' || code === 'SESSION_NOT_FOUND') return new TaskNotFoundError({ message });
  if (code === 'TASK_FINISHED') return new TaskNotCancelableError({ message });
  if (code === 'UNSUPPORTED_MEDIA_TYPE') return new ContentTypeNotSupportedError(message);
  return problem.status < 500 ? new RequestMalformedError({ message }) : new Error(message);
};

/** The data parts of a user's message by name: a decision on an approval, the schema of the answer, and a plan. */
const dataIn = (parts: readonly Part[]): Pick<Submission['turn'], 'decision' | 'answer_schema' | 'plan'> =>
  Object.assign({}, ...parts.map(({ content }) => (content?.$case === 'data' ? content.value : null)));

/** The file of a part, with its bytes or as a data URL; none for other parts. Throws for any other address. */
const fileOf = ({ content, filename, mediaType }: Part): TurnFile[] => {
  const named = { ...(filename !== '' && { name: filename }) };
  if (content?.$case === 'raw') {
    const said = mediaType === '' ? {} : { media_type: mediaType };
    return [{ ...named, ...said, data: content.value.toString('base64') }];
  }
  if (content?.$case !== 'url') return [];
  const file = fileOfDataUrl(content.value);
  if (file === null) throw new ContentTypeNotSupportedError(ADDRESS_REFUSED);
  return [{ ...named, ...file }];
};

/**
 * The turn of a user's message: text and files, or a decision on an approval as data `{"decision": {…}}`. Throws where
 * it has none of them.
 */
const turnOf = (parts: readonly Part[]): Submission['turn'] => {
  const { decision, answer_schema, plan } = dataIn(parts);
  if (decision !== undefined) return { decision };
  const input = textOf(parts.map(({ content }) => ({ text: content?.$case === 'text' ? content.value : '' })));
  return {
    ...wordsAndFiles(input, parts.flatMap(fileOf)),
    ...(answer_schema !== undefined && { answer_schema }),
    ...(plan !== undefined && { plan }),
  };
};

const PAGE_TASKS = 50;
const PAGE_TASKS_MAX = 100;

/** The number of messages that a client asks for. The SDK turns an invalid number into NaN. */
const historyLengthOf = ({ historyLength }: { historyLength?: number | undefined }): number | undefined => {
  if (historyLength === undefined || (Number.isInteger(historyLength) && historyLength >= 0)) return historyLength;
  throw new RequestMalformedError('historyLength must be a whole number, 0 or more');
};

const timeOf = (text: string): number => {
  const at = Date.parse(text);
  if (Number.isNaN(at))
    throw new RequestMalformedError('statusTimestampAfter must be a time such as 2030-01-31T09:00:00Z');
  return at;
};

/** Gives the files that a task wrote in these turns of it, as an artifact; none where it wrote none. */
type FilesOf = (turns: readonly TurnView[]) => Promise<Artifact[]>;

/** A page of an owner's tasks, most recent change of state first. `agent` undefined: of all agents. */
const listTasks = async (
  { engine, conversations, filesOf }: Pick<ProtocolParts, 'engine' | 'conversations'> & { filesOf: FilesOf },
  owner: string,
  agent: string | undefined,
  params: ListTasksRequest,
): Promise<ListTasksResponse> => {
  const { contextId, status, pageSize = PAGE_TASKS, pageToken, statusTimestampAfter, includeArtifacts } = params;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > PAGE_TASKS_MAX)
    throw new RequestMalformedError(`pageSize must be a whole number, 1 to ${PAGE_TASKS_MAX}`);
  if (pageToken !== '' && !CURSOR.test(pageToken)) throw new RequestMalformedError('pageToken is not known');
  const historyLength = historyLengthOf(params) ?? 0;
  const since = statusTimestampAfter === undefined ? undefined : timeOf(statusTimestampAfter);
  const session_id = contextId === '' ? undefined : sessionNamed(contextId);
  const isAny = status === TaskState.TASK_STATE_UNSPECIFIED || status === TaskState.UNRECOGNIZED;
  const counts = isAny ? [] : await engine.countTasks(owner, session_id ?? null);
  const kinds = counts.filter(
    ({ state, outcome }) => status === stateOf({ state: state === 'running' ? 'acting' : state, outcome }),
  );

  const query = { session_id, agent, since, kinds: isAny ? undefined : kinds };
  const { items, next, total } = await engine.moved(owner, query, { limit: pageSize, after: pageToken || undefined });
  const shown = items.map(async ({ session_id, moved_at, task }) => {
    if (historyLength === 0 && includeArtifacts !== true) return taskOf(task, session_id, null, moved_at);
    const { turns } = await conversations.turnsOf(owner, task.id);
    const listed = taskOf(task, session_id, turns[0] ?? null, moved_at);
    return {
      ...listed,
      history: historyOf(turns, historyLength),
      artifacts: includeArtifacts === true ? [...listed.artifacts, ...(await filesOf(turns))] : [],
    };
  });
  return { tasks: await Promise.all(shown), nextPageToken: next ?? '', pageSize, totalSize: total };
};

const withoutPushes = async (): Promise<never> => {
  throw new PushNotificationNotSupportedError();
};

/**
 * Answers the calls of one request. Throws A2A errors. A2A's ids are ours: a context is a session, and a task is a
 * task.
 */
export class RequestHandler implements A2ARequestHandler {
  readonly #parts: ProtocolParts;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #disconnected: AbortSignal;

  constructor(parts: ProtocolParts, request: FastifyRequest, reply: FastifyReply) {
    this.#parts = parts;
    this.#request = request;
    this.#reply = reply;
    this.#disconnected = disconnectSignal(reply);
  }

  async getAgentCard() {
    return agentCard(this.#request, this.#parts);
  }

  async getAuthenticatedExtendedAgentCard(_: unknown, context?: { requestedVersion?: string | undefined }) {
    if (context?.requestedVersion === UNNAMED_VERSION) return agentCard(this.#request, this.#parts);
    throw new UnsupportedOperationError('There is no extended card; the public card is complete');
  }

  sendMessage(params: SendMessageRequest): Promise<Message | Task> {
    return this.#answered(async () => {
      this.#parts.waiting.take(this.#request, this.#reply);
      const historyLength = historyLengthOf(params.configuration ?? {});
      const turn = await this.#submit(params, false);
      const isImmediate = params.configuration?.returnImmediately === true;
      return isImmediate ? this.#begun(turn) : this.#finished(turn, historyLength);
    });
  }

  /** Errors of a stream become A2A errors where the stream is written. */
  async *sendMessageStream(params: SendMessageRequest): AsyncGenerator<StreamResponse> {
    this.#parts.streams.take(this.#request, this.#reply);
    yield* this.#rendered(await this.#submit(params, true));
  }

  getTask(params: GetTaskRequest): Promise<Task> {
    return this.#answered(async () => {
      const historyLength = historyLengthOf(params);
      const { task, session_id, turn, turns, moved_at } = await this.#knownTask(params.id);
      const shown = taskOf(task, session_id, turn, moved_at);
      const artifacts = [...shown.artifacts, ...(await this.#filesOf(turns))];
      return { ...shown, artifacts, history: historyOf(turns, historyLength) };
    });
  }

  listTasks(params: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#answered(() =>
      listTasks({ ...this.#parts, filesOf: this.#filesOf }, this.#request.owner, this.#agent(), params),
    );
  }

  cancelTask({ id }: { id: string }): Promise<Task> {
    return this.#answered(async () => {
      await this.#knownTask(id);
      await this.#parts.engine.cancel(this.#request.owner, id, this.#request.by);
      const { task, session_id, moved_at } = await this.#knownTask(id);
      return taskOf(task, session_id, null, moved_at);
    });
  }

  async *resubscribe(
    { id }: { id: string },
    context?: { requestedVersion?: string | undefined },
  ): AsyncGenerator<StreamResponse> {
    // The order matters: the stream follows everything after the last entry so far.
    const { last_seq } = await this.#parts.engine.session(this.#request.owner, (await this.#knownTask(id)).session_id);
    const { task, session_id, turn, moved_at } = await this.#knownTask(id);
    if (task.phase === 'done') throw new UnsupportedOperationError(`Task ${id} has ended; get it instead`);
    this.#parts.streams.take(this.#request, this.#reply);
    const isRunning = turn !== null && turn.finished_at === null;
    if (isRunning) yield* this.#rendered(turn);
    else yield { payload: { $case: 'task', value: taskOf(task, session_id, turn, moved_at) } };
    // In version 0.3 a stream ends at the first final state, and waiting for input counts as one.
    if (context?.requestedVersion !== UNNAMED_VERSION)
      yield* this.#further(task, { session_id, last_seq, isShown: isRunning });
  }

  createTaskPushNotificationConfig = withoutPushes;
  getTaskPushNotificationConfig = withoutPushes;
  listTaskPushNotificationConfigs = withoutPushes;
  deleteTaskPushNotificationConfig = withoutPushes;

  /** The agent at whose address the request arrived; undefined: at that of the service. */
  #agent(): string | undefined {
    return agentIn(this.#request, this.#parts)?.name;
  }

  /** A task of the agent at this address, with its turns. Throws `TaskNotFoundError` for any other. */
  async #knownTask(taskId: string) {
    const { engine, conversations } = this.#parts;
    const { owner } = this.#request;
    const [moved] = (await engine.moved(owner, { task_id: taskId, agent: this.#agent() }, { limit: 1 })).items;
    if (moved === undefined) throw new TaskNotFoundError({ message: 'There is no task with that id' });
    const { turns } = await conversations.turnsOf(owner, taskId);
    return { ...moved, turns, turn: turns[0] ?? null };
  }

  /** The turn of a message to a task: answers its question, resumes a paused task, or steers a running one. */
  async #turnInTask({ taskId, contextId, parts }: Message) {
    const { task, session_id } = await this.#knownTask(taskId);
    if (contextId !== '' && sessionNamed(contextId) !== session_id)
      throw new RequestMalformedError('message.taskId belongs to another context than message.contextId');
    if (task.phase === 'done')
      throw new UnsupportedOperationError(
        `Task ${taskId} has ended; send a message without its id in the context ${session_id} to continue from it`,
      );
    const turn = task.state === 'paused' ? { input: `/resume ${taskId}` } : turnOf(parts);
    return { session_id, turn: { ...turn, on_busy: 'steer' as const } };
  }

  async #submit({ message, configuration }: SendMessageRequest, isWatched: boolean): Promise<TurnView> {
    const { messageId = '', taskId = '', contextId = '', parts = [] } = message ?? {};
    if (message === undefined || messageId === '') throw new RequestMalformedError('message.messageId is missing');
    if (configuration?.taskPushNotificationConfig !== undefined) throw new PushNotificationNotSupportedError();
    // Without a context the message gets its own session, the same one when the message is sent again.
    const session_id = sessionNamed(contextId || `a2a message ${messageId}`);
    const asked = taskId === '' ? { session_id, turn: turnOf(parts) } : await this.#turnInTask(message);
    const agent = this.#agent();
    const turn = { ...asked.turn, ...(agent !== undefined && { agent }) };
    const submission = { ...asked, turn, idempotency_key: requestKey('a2a-', [messageId]), isWatched };
    return (await this.#parts.conversations.submit(this.#request, this.#reply, submission)).turn;
  }

  /** The addresses are those by which the request arrived. */
  readonly #filesOf: FilesOf = async (turns) => {
    const { protocol, host, prefix, owner } = this.#request;
    const written = await writtenIn(this.#parts, owner, turns);
    return filesArtifact(turns[0]?.task_id ?? '', written, (path) => `${protocol}://${host}${prefix}${path}`);
  };

  async #finished({ id, session_id }: TurnView, historyLength?: number): Promise<Message | Task> {
    const { engine, conversations } = this.#parts;
    const { owner } = this.#request;
    const ended = await engine.wait(owner, id, this.#disconnected);
    if (ended.task === null) return commandReply(ended);
    const { turns } = await conversations.turnsOf(owner, ended.task.id);
    const history = historyOf(turns, historyLength);
    const task = taskOf(ended.task, session_id, ended, ended.finished_at);
    return { ...task, artifacts: [...task.artifacts, ...(await this.#filesOf(turns))], history };
  }

  /** The task as soon as there is one: a turn in the queue has none yet. */
  async #begun(turn: TurnView): Promise<Message | Task> {
    for await (const update of this.#parts.conversations.updates(this.#request.owner, turn, this.#disconnected))
      if (update.type === 'task') return taskOf(update.task, turn.session_id, null, turn.created_at);
    return this.#finished(turn);
  }

  #rendered(turn: TurnView, isKnown = false) {
    const updates = this.#parts.conversations.updates(this.#request.owner, turn, this.#disconnected, true);
    const filesOf = async ({ task_id }: TurnView): Promise<Artifact[]> =>
      this.#filesOf((await this.#parts.conversations.turnsOf(this.#request.owner, task_id ?? '')).turns);
    return renderTurn(updates, turnResponses(turn, filesOf, isKnown));
  }

  /**
   * A task's further turns and changes of state until it has ended. `isShown`: the first turn was already shown, and
   * its entries are skipped until it settles.
   */
  async *#further(
    { id, state: before }: TaskView,
    { session_id, last_seq, isShown }: { session_id: string; last_seq: number; isShown: boolean },
  ): AsyncGenerator<StreamResponse> {
    const { engine } = this.#parts;
    const { owner } = this.#request;
    let state = stateOf({ state: before, outcome: null });
    for await (const entry of engine.follow(owner, session_id, last_seq, this.#disconnected)) {
      if (entry.task_id !== id || entry.state === null) continue;
      if (!isShown && 'turn_id' in entry.event && entry.event.turn_id !== null) {
        const turn = await engine.turn(owner, entry.event.turn_id);
        isShown = turn.task_id === id;
        if (isShown) yield* this.#rendered(turn, true);
      }
      // Most entries are of a task that works on.
      if (state === TaskState.TASK_STATE_WORKING && !isSettled(entry.state)) continue;
      const task = await engine.task(owner, id);
      if (!isShown && stateOf(task) !== state) yield statusUpdate(task, session_id, { timestamp: entry.at });
      state = stateOf(task);
      if (task.phase === 'done') return;
      if (isSettled(entry.state)) isShown = false;
    }
  }

  async #answered<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw a2aError(error, this.#request);
    }
  }
}
