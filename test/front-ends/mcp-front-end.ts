import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Conversation, FrontEnd, Photo, Running, Shown } from '../support/front-ends/front-end.ts';
import { shownText } from '../support/front-ends/shown-text.ts';

interface Reply {
  status: string;
  options: string[] | null;
  approval: Shown['approval'];
}

type Answer = { action: 'accept'; content: Record<string, string> };

/** An MCP host of either era. Those that ask show their user a form; with another one the model asks, and calls `answer`. */
export const mcpHost =
  (era: 'newer' | 'older', asks: boolean): FrontEnd =>
  (url) =>
  () => {
    const session = randomUUID();
    const progress: string[] = [];
    /** The form that the user sees. */
    let form: { answer(answer: Answer): void } | null = null;
    let shows: (shown: Shown) => void = () => {};

    const connect = async (): Promise<Client> => {
      const client = new Client(
        { name: 'host', version: '1' },
        {
          capabilities: asks ? { elicitation: {} } : {},
          versionNegotiation: { mode: era === 'newer' ? 'auto' : 'legacy' },
        },
      );
      if (asks)
        client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
          const { promise, resolve } = Promise.withResolvers<Answer>();
          form = { answer: resolve };
          shows(shownText(message, progress.splice(0).join('\n')));
          return promise;
        });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url()}/mcp`)));
      return client;
    };

    const call = async (name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Shown> => {
      const client = await connect();
      const onprogress = ({ message = '' }) => void progress.push(message);
      try {
        const options = { onprogress, timeout: 30_000, ...(signal && { signal }) };
        const result = await client.callTool({ name, arguments: { session, ...args } }, options);
        const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        const { options: choices, approval } = (result.structuredContent ?? {}) as unknown as Reply;
        const lines = progress.splice(0);
        const isError = result.isError === true;
        return {
          text,
          progress: lines,
          options: approval === null ? (choices ?? []) : [],
          approval: approval ?? null,
          error: isError ? text : null,
        };
      } catch (error) {
        return { text: '', progress: [], options: [], approval: null, error: String(error) };
      } finally {
        await client.close();
      }
    };

    /** The user's next view: the result, or a form that comes before it. */
    const seen = (result: Promise<Shown> | null): Promise<Shown> => {
      const { promise, resolve } = Promise.withResolvers<Shown>();
      shows = resolve;
      pending = result ?? pending;
      return Promise.race([promise, pending]);
    };
    let pending: Promise<Shown> = Promise.reject(new Error('nothing was sent'));
    pending.catch(() => {});

    const answer = (content: Record<string, string>): Promise<Shown> => {
      const shown = form;
      form = null;
      if (shown === null) return seen(call('answer', content));
      const next = seen(null);
      shown.answer({ action: 'accept', content });
      return next;
    };
    const start = async (goal: string, photo?: Photo): Promise<Running> => {
      const image = photo && { type: 'image', data: photo.bytes.toString('base64'), mimeType: photo.mediaType };
      const leaving = new AbortController();
      return {
        shown: seen(call('run', { goal, ...(image && { files: [image] }) }, leaving.signal)),
        cancel: async () => {
          const client = await connect();
          const { structuredContent } = await client.callTool({ name: 'status', arguments: { session } });
          const { active_task } = structuredContent as unknown as { active_task: { id: string } };
          await client.callTool({ name: 'cancel', arguments: { task_id: active_task.id } });
          await client.close();
        },
        disconnect: () => leaving.abort(),
      };
    };
    const conversation: Conversation = {
      session,
      // A command is another call of the same model: what the user is asked stays where it is.
      say: async (text, photo) => {
        if (text.startsWith('/todo ')) return call('todo', { command: text.slice('/todo '.length) });
        if (text === 'continue') return seen(call('continue', {}));
        return (await start(text, photo)).shown;
      },
      start,
      choose: (option) => answer({ answer: option }),
      decide: (isApproved) => answer({ decision: isApproved ? 'approve' : 'reject' }),
    };
    return conversation;
  };
