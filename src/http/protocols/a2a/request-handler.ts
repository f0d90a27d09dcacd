import type { Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import {
  PushNotificationNotSupportedError,
  RequestMalformedError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TaskView } from '../../../../contracts/turn-view.ts';
import { disconnectSignal } from '../../event-stream.ts';
import type { ProtocolParts } from '../port.ts';
import { agentCard } from './agent-card.ts';
import { a2aError } from './errors.ts';
import { inputOf, sessionOf } from './incoming-message.ts';
import { listTasks } from './list-tasks.ts';
import { type SentMessage, turnResponses } from './turn-responses.ts';
import { commandReply, taskOf } from './wire.ts';

const isEnded = ({ phase }: TaskView): boolean => phase === 'done';

/** Answers one request's calls. A2A's ids are ours: a context is a session, a task is a task. */
export const createRequestHandler = (
  { conversations, waiting, streams, version }: ProtocolParts,
  request: FastifyRequest,
  reply: FastifyReply,
): A2ARequestHandler => {
  const { owner } = request;

  /** As `Conversations.lastTurnOf`. The SDK hands on whatever a client of 0.3 has for an id. */
  const lastTurnOf = (taskId: unknown) => {
    if (typeof taskId !== 'string') throw new RequestMalformedError('The id of a task must be a string');
    return conversations.lastTurnOf(owner, taskId);
  };

  const knownTask = async (taskId: string) => {
    const { session_id, turn } = await lastTurnOf(taskId);
    return { task: await conversations.task(owner, taskId), session_id, turn };
  };

  /** A message to a task answers it, lets it go on where it is paused, and joins what it does where it runs. */
  const submitToTask = async (message: Message): Promise<SentMessage> => {
    const { task, session_id } = await knownTask(message.taskId);
    if (message.contextId !== '' && sessionOf(message) !== session_id)
      throw new RequestMalformedError('message.taskId is of another context than message.contextId');
    if (isEnded(task))
      throw new UnsupportedOperationError(
        `Task ${task.id} has ended; send a message without its id in the context ${session_id} to go on from it`,
      );
    const input = task.state === 'paused' ? { input: `/resume ${task.id}` } : inputOf(message);
    const { turn } = await conversations.submit(request, reply, {
      ...input,
      input: input.input ?? '',
      session_id,
      on_busy: 'steer',
      idempotency_key: `a2a-${message.messageId}`,
    });
    return { turn, contextId: message.contextId === '' ? session_id : message.contextId };
  };

  const submit = async ({ message, configuration }: SendMessageRequest): Promise<SentMessage> => {
    if (message === undefined) throw new RequestMalformedError('message is missing');
    if (configuration?.taskPushNotificationConfig !== undefined) throw new PushNotificationNotSupportedError();
    const input = inputOf(message);
    if (message.taskId !== '') return submitToTask(message);
    const session_id = sessionOf(message);
    const { turn } = await conversations.submit(request, reply, {
      ...input,
      input: input.input ?? '',
      session_id,
      idempotency_key: `a2a-${message.messageId}`,
    });
    return { turn, contextId: message.contextId === '' ? session_id : message.contextId };
  };

  const finished = async ({ turn, contextId }: SentMessage): Promise<Message | Task> => {
    const ended = await conversations.wait(owner, turn.id, disconnectSignal(reply));
    return ended.task === null ? commandReply(ended, contextId) : taskOf(ended.task, contextId, ended);
  };

  /** The task as soon as there is one: a turn that waits in the queue has none yet. */
  const begun = async ({ turn, contextId }: SentMessage): Promise<Message | Task> => {
    for await (const update of conversations.updates(owner, turn, disconnectSignal(reply)))
      if (update.type === 'task') return taskOf(update.task, contextId, null);
    return finished({ turn, contextId });
  };

  /** A page's or a call's own failure in A2A's words. */
  const asA2a = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw a2aError(error, request);
    }
  };

  async function* streamAsA2a(stream: AsyncGenerator<StreamResponse>): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      yield* stream;
    } catch (error) {
      throw a2aError(error, request);
    }
  }

  const withoutPushes = async (): Promise<never> => {
    throw new PushNotificationNotSupportedError();
  };

  return {
    getAgentCard: async () => agentCard(request, version),
    getAuthenticatedExtendedAgentCard: async () => agentCard(request, version),
    sendMessage: (params) =>
      asA2a(async () => {
        waiting.take(request, reply);
        const sent = await submit(params);
        return params.configuration?.returnImmediately === true ? begun(sent) : finished(sent);
      }),
    sendMessageStream: (params) =>
      streamAsA2a(
        (async function* () {
          streams.take(request, reply);
          yield* turnResponses(conversations, owner, await submit(params), disconnectSignal(reply));
        })(),
      ),
    getTask: ({ id }) =>
      asA2a(async () => {
        const { task, session_id, turn } = await knownTask(id);
        return taskOf(task, session_id, turn);
      }),
    listTasks: (params) => asA2a(() => listTasks(conversations, owner, params, disconnectSignal(reply))),
    cancelTask: ({ id }) =>
      asA2a(async () => {
        const { session_id } = await lastTurnOf(id);
        return taskOf(await conversations.cancel(owner, id), session_id, null);
      }),
    resubscribe: ({ id }) =>
      streamAsA2a(
        (async function* () {
          const { task, session_id, turn } = await knownTask(id);
          if (isEnded(task)) throw new UnsupportedOperationError(`Task ${id} has ended; get it instead`);
          streams.take(request, reply);
          if (turn === null || turn.finished_at !== null)
            yield { payload: { $case: 'task', value: taskOf(task, session_id, turn) } };
          else yield* turnResponses(conversations, owner, { turn, contextId: session_id }, disconnectSignal(reply));
        })(),
      ),
    createTaskPushNotificationConfig: withoutPushes,
    getTaskPushNotificationConfig: withoutPushes,
    listTaskPushNotificationConfigs: withoutPushes,
    deleteTaskPushNotificationConfig: withoutPushes,
  };
};
