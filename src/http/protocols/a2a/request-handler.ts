import type { Message, Part, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { ProtocolParts, Submission } from '../port.ts';
import { renderTurn } from '../render-turn.ts';
import { sessionNamed } from '../request.ts';
import { agentCard } from './a2a.ts';
import { listTasks } from './list-tasks.ts';
import { commandReply, taskOf, turnResponses } from './wire.ts';

/** A turn that a message became, and the context in which its sender knows it. */
interface SentMessage {
  turn: TurnView;
  contextId: string;
}

/** Longest id of a message that a client may give, in characters. */
const MESSAGE_ID_CHARS_MAX = 256;

const decisionIn = (parts: readonly Part[]): unknown => {
  for (const { content } of parts) {
    const value: unknown = content?.$case === 'data' ? content.value : null;
    if (typeof value === 'object' && value !== null && 'decision' in value) return value.decision;
  }
  return undefined;
};

const textIn = (parts: readonly Part[]): string =>
  parts
    .map(({ content }) => (content?.$case === 'text' && typeof content.value === 'string' ? content.value : ''))
    .join('\n')
    .trim();

/** The turn of a user's message: words, or a decision about an approval as data `{"decision": {…}}`. Throws for one that says neither. */
const turnOf = ({ messageId, parts }: Message): Submission['turn'] => {
  if (messageId === '' || messageId.length > MESSAGE_ID_CHARS_MAX)
    throw new RequestMalformedError(`message.messageId must have 1 to ${MESSAGE_ID_CHARS_MAX} characters`);
  const decision = decisionIn(parts) as Submission['turn']['decision'];
  return decision === undefined ? { input: textIn(parts) } : { decision };
};

/** The session of a message: its context, else one of its own, the same again when the message is sent again. */
const sessionOf = ({ contextId, messageId }: Message): string =>
  contextId === '' ? sessionNamed(`a2a message ${messageId}`) : sessionNamed(contextId);

const isEnded = ({ phase }: TaskView): boolean => phase === 'done';

/** Answers one request's calls, and throws what fails as `asError` has it. A2A's ids are ours: a context is a session, a task is a task. */
export const createRequestHandler = (
  { conversations, waiting, streams, version }: ProtocolParts,
  request: FastifyRequest,
  reply: FastifyReply,
  asError: (error: unknown) => Error,
): A2ARequestHandler => {
  const { owner } = request;
  const left = disconnectSignal(reply);

  /** As `Conversations.lastTurnOf`. The SDK hands on whatever a client of 0.3 has for an id. */
  const lastTurnOf = (taskId: unknown) => {
    if (typeof taskId !== 'string') throw new RequestMalformedError('The id of a task must be a string');
    return conversations.lastTurnOf(owner, taskId);
  };

  const knownTask = async (taskId: string) => {
    const { session_id, turn } = await lastTurnOf(taskId);
    return { task: await conversations.task(owner, taskId), session_id, turn };
  };

  /** The turn of a message to a task: it answers it, lets it go on where it is paused, and joins what it does where it runs. */
  const turnInTask = async (message: Message) => {
    const { task, session_id } = await knownTask(message.taskId);
    if (message.contextId !== '' && sessionOf(message) !== session_id)
      throw new RequestMalformedError('message.taskId is of another context than message.contextId');
    if (isEnded(task))
      throw new UnsupportedOperationError(
        `Task ${task.id} has ended; send a message without its id in the context ${session_id} to go on from it`,
      );
    const said = task.state === 'paused' ? { input: `/resume ${task.id}` } : turnOf(message);
    return { turn: { ...said, on_busy: 'steer' as const }, session_id };
  };

  const submit = async ({ message, configuration }: SendMessageRequest): Promise<SentMessage> => {
    if (message === undefined) throw new RequestMalformedError('message is missing');
    if (configuration?.taskPushNotificationConfig !== undefined) throw new PushNotificationNotSupportedError();
    const said = { turn: turnOf(message), session_id: sessionOf(message) };
    const asked = message.taskId === '' ? said : await turnInTask(message);
    const idempotency_key = `a2a-${message.messageId}`;
    const { turn } = await conversations.submit(request, reply, { ...asked, idempotency_key });
    return { turn, contextId: message.contextId === '' ? asked.session_id : message.contextId };
  };

  const finished = async ({ turn, contextId }: SentMessage): Promise<Message | Task> => {
    const ended = await conversations.wait(owner, turn.id, left);
    return ended.task === null ? commandReply(ended, contextId) : taskOf(ended.task, contextId, ended);
  };

  /** The task as soon as there is one: a turn that waits in the queue has none yet. */
  const begun = async ({ turn, contextId }: SentMessage): Promise<Message | Task> => {
    for await (const update of conversations.updates(owner, turn, left))
      if (update.type === 'task') return taskOf(update.task, contextId, null);
    return finished({ turn, contextId });
  };

  const rendered = ({ turn, contextId }: SentMessage) =>
    renderTurn(conversations.updates(owner, turn, left), turnResponses(turn, contextId));

  async function* sendStream(params: SendMessageRequest): AsyncGenerator<StreamResponse> {
    streams.take(request, reply);
    yield* rendered(await submit(params));
  }

  async function* subscribe(id: string): AsyncGenerator<StreamResponse> {
    const { task, session_id, turn } = await knownTask(id);
    if (isEnded(task)) throw new UnsupportedOperationError(`Task ${id} has ended; get it instead`);
    streams.take(request, reply);
    if (turn === null || turn.finished_at !== null)
      yield { payload: { $case: 'task', value: taskOf(task, session_id, turn) } };
    else yield* rendered({ turn, contextId: session_id });
  }

  const answered = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw asError(error);
    }
  };

  async function* streamed(responses: AsyncGenerator<StreamResponse>): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      yield* responses;
    } catch (error) {
      throw asError(error);
    }
  }

  const withoutPushes = async (): Promise<never> => {
    throw new PushNotificationNotSupportedError();
  };

  return {
    getAgentCard: async () => agentCard(request, version),
    getAuthenticatedExtendedAgentCard: async () => agentCard(request, version),
    sendMessage: (params) =>
      answered(async () => {
        waiting.take(request, reply);
        const sent = await submit(params);
        return params.configuration?.returnImmediately === true ? begun(sent) : finished(sent);
      }),
    sendMessageStream: (params) => streamed(sendStream(params)),
    getTask: ({ id }) =>
      answered(async () => {
        const { task, session_id, turn } = await knownTask(id);
        return taskOf(task, session_id, turn);
      }),
    listTasks: (params) => answered(() => listTasks(conversations, owner, params)),
    cancelTask: ({ id }) =>
      answered(async () => {
        const { session_id } = await lastTurnOf(id);
        return taskOf(await conversations.cancel(owner, id), session_id, null);
      }),
    resubscribe: ({ id }) => streamed(subscribe(id)),
    createTaskPushNotificationConfig: withoutPushes,
    getTaskPushNotificationConfig: withoutPushes,
    listTaskPushNotificationConfigs: withoutPushes,
    deleteTaskPushNotificationConfig: withoutPushes,
  };
};
