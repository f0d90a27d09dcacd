import type { Photo, Running, Shown } from '../support/front-ends/front-end.ts';

/** A result of either version of the client, in the words of one. */
export interface A2aReply {
  contextId: string;
  taskId: string;
  /** `completed`, `input-required`, …; null for a message without a task. */
  state: string | null;
  /** The agent's text, in status messages, artifacts or a message of its own. */
  text: string;
  /** The data beside it: the question, its options, the action to approve. */
  data: { options?: string[] | null; approval?: Shown['approval'] } | null;
}

/** One version's client: sends a message to a context, or to a task of it, and gives what is streamed back. */
export interface A2aClient {
  stream(
    message: { contextId: string; taskId?: string; text?: string; photo?: Photo | undefined; data?: unknown },
    signal: AbortSignal,
  ): AsyncGenerator<A2aReply>;
  cancel(taskId: string): Promise<unknown>;
  subscribe(taskId: string): AsyncGenerator<A2aReply>;
}

const isOpen = ({ state }: A2aReply): boolean => state === 'input-required';

/** An agent that talks to Tripact by A2A for its user. */
export const connectA2a = (connect: (url: string) => Promise<A2aClient>) => (url: () => string) => () => {
  const session = crypto.randomUUID();
  /** The task that waits for an input. */
  let waiting: string | undefined;
  let current = '';
  /** Resolves when it is known: what is sent before it belongs to none. */
  let hasTask = Promise.resolve();

  const read = async (replies: AsyncGenerator<A2aReply>, onTask: () => void): Promise<Shown> => {
    const progress: string[] = [];
    let last: A2aReply | null = null;
    let text = '';
    try {
      for await (const reply of replies) {
        if (reply.taskId !== '') {
          current = reply.taskId;
          onTask();
        }
        if (reply.state === 'working') progress.push(reply.text);
        else if (reply.text !== '') text = reply.text;
        last = reply;
      }
    } catch (error) {
      // The task may have ended without it: the next message begins anew.
      waiting = undefined;
      return { text, progress, options: [], approval: null, error: String(error) };
    }
    // A command belongs to no task, and leaves what waits as it is.
    if (last !== null && last.state !== null) waiting = isOpen(last) ? last.taskId : undefined;
    const { options = null, approval = null } = last?.data ?? {};
    return { text, progress, options: approval === null ? (options ?? []) : [], approval, error: null };
  };

  const send = async (message: {
    text?: string;
    photo?: Photo | undefined;
    data?: unknown;
    taskId?: string;
  }): Promise<Running> => {
    const closing = new AbortController();
    const client = await connect(url());
    const { promise, resolve } = Promise.withResolvers<void>();
    hasTask = promise;
    const shown = read(client.stream({ contextId: session, ...message }, closing.signal), resolve);
    return {
      shown,
      cancel: async () => {
        await promise;
        await client.cancel(current);
      },
      disconnect: () => void promise.then(() => closing.abort()),
    };
  };
  const answer = async (message: { text?: string; photo?: Photo | undefined; data?: unknown }): Promise<Shown> =>
    (await send({ ...message, ...(waiting !== undefined && { taskId: waiting }) })).shown;

  return {
    session,
    say: async (text: string, photo?: Photo) =>
      text.startsWith('/') ? (await send({ text })).shown : answer({ text, photo }),
    start: (text: string) => send({ text }),
    choose: (option: string) => answer({ text: option }),
    decide: (isApproved: boolean) => answer({ data: { decision: { type: isApproved ? 'approve' : 'reject' } } }),
    reconnect: async () => {
      await hasTask;
      const client = await connect(url());
      const { promise: isConnected, resolve } = Promise.withResolvers<void>();
      const shown = read(client.subscribe(current), resolve);
      await isConnected;
      return { shown };
    },
  };
};
