import { EventSourceParserStream } from 'eventsource-parser/stream';

/** A turn as Tripact's API shows it, as far as the bot reads it. */
export interface Turn {
  id: string;
  session_id: string;
  task_id: string | null;
  kind: 'task' | 'command';
  status: 'queued' | 'running' | 'answered' | 'asking' | 'paused' | 'failed' | 'cancelled' | 'ran';
  output: string | null;
  options: string[] | null;
  /** The action that waits for a yes. */
  approval: { tool: string; input: string } | null;
  task: { id: string; step_count: number } | null;
  /** Files that the user sent, beside words or in their place. */
  files?: { path: string }[];
  created_at: string;
  finished_at: string | null;
}

/** A file that goes with a user's input. */
export interface FileToSend {
  name: string | null;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A user's input (empty for files alone), or a decision about the action that waits for approval. */
export type TurnRequest =
  | { input: string; on_busy?: 'steer' }
  | { decision: { type: 'approve' | 'approve_always' | 'reject' } | { type: 'edit'; input: string } };

/** A task as far as the bot reads it. */
interface Task {
  id: string;
  state: string;
  step_count: number;
  awaiting_clarification: boolean;
}

/** A file that a session keeps. */
export interface SessionFile {
  path: string;
  size: number;
  modified_at: string;
}

/** A refusal of Tripact's, or that it cannot be reached (status 0). */
export class TripactError extends Error {
  override readonly name = 'TripactError';
  readonly status: number;
  /** When it may be tried again, in seconds; null where Tripact did not say. */
  readonly retryAfter: number | null;

  constructor(status: number, detail: string, retryAfter: number | null = null) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** It passes by itself: the same call may succeed soon. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** The public HTTP API of a running Tripact, as one user sees it. */
export interface Tripact {
  /** Sends what a user said; the same key is the same turn, however often it is sent. Resolves at once, the turn goes on. */
  submit(session: string, request: TurnRequest, key: string, files?: readonly FileToSend[]): Promise<Turn>;
  /** Calls `progress` for each line of a turn from its beginning on, and `written` with its answer as it grows; resolves to the finished turn. */
  follow(
    turn: string,
    listener: { progress(line: string): void; written(answer: string): void },
    signal: AbortSignal,
  ): Promise<Turn>;
  turn(id: string): Promise<Turn>;
  /** The task that a session works on or waits with; null where it has none. */
  activeTask(session: string): Promise<Task | null>;
  task(id: string): Promise<Task>;
  cancel(task: string): Promise<void>;
  /** The files of a session's folder, the first hundred of them. */
  files(session: string): Promise<SessionFile[]>;
  file(session: string, path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** A turn with files as a form, in which Tripact streams them to its disk. */
const formOf = (request: TurnRequest, files: readonly FileToSend[]): FormData => {
  const { input, ...turn } = { input: '', ...request };
  const form = new FormData();
  if (input !== '') form.set('input', input);
  form.set('turn', JSON.stringify(turn));
  for (const { name, bytes } of files) form.append('file', new Blob([bytes]), name ?? 'file');
  return form;
};

/** Longest that a call may take, but for the stream, in milliseconds: Tripact answers all of them at once. */
const CALL_MS_MAX = 30_000;

/** Makes the client that calls a running Tripact as a user of the bot: each has sessions, todos and all else of their own, where the bot has a key. */
export const createTripact =
  ({ url, key }: { url: string; key: string | null }) =>
  (user: string): Tripact => {
    const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
      const caller = key === null ? {} : { authorization: `Bearer ${key}`, 'x-tripact-user': user };
      const headers = { 'x-tripact-client': 'chat_bot', ...caller, ...init.headers };
      let response: Response;
      try {
        response = await fetch(url + path, { signal: AbortSignal.timeout(CALL_MS_MAX), ...init, headers });
      } catch (error) {
        throw new TripactError(0, `${url} cannot be reached: ${String((error as Error).cause ?? error)}`);
      }
      if (response.ok) return response;
      const text = await response.text().catch(() => '');
      let detail = text.slice(0, 500);
      try {
        detail = String((JSON.parse(text) as { detail: unknown }).detail);
      } catch {
        // Something between the bot and Tripact answered.
      }
      const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
      throw new TripactError(response.status, detail, Number.isFinite(wait) ? wait : null);
    };
    const get = async <Body>(path: string): Promise<Body> => (await call(path)).json() as Promise<Body>;
    const post = (path: string, body: unknown, headers: Record<string, string>): Promise<Response> =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });

    return {
      submit: async (session, request, key, files = []) => {
        const headers = { prefer: 'respond-async', 'idempotency-key': key };
        const path = `/v1/sessions/${session}/turns`;
        const response =
          files.length === 0
            ? post(path, request, headers)
            : call(path, { method: 'POST', headers, body: formOf(request, files) });
        return (await response).json() as Promise<Turn>;
      },
      follow: async (turn, { progress, written }, signal) => {
        const response = await call(`/v1/turns/${turn}/events`, { signal, headers: { accept: 'text/event-stream' } });
        const messages = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
        let answer = '';
        try {
          for await (const { event, data } of messages) {
            if (event === 'answer.delta' || event === 'answer.retracted') {
              const { text = null } = JSON.parse(data) as { text?: string };
              answer = text === null ? '' : answer + text;
              written(answer);
            }
            if (event === 'progress') progress((JSON.parse(data) as { text: string }).text);
            if (event === 'turn') return JSON.parse(data) as Turn;
            if (event === 'problem') throw new TripactError(503, (JSON.parse(data) as { detail: string }).detail);
          }
        } catch (error) {
          throw error instanceof TripactError ? error : new TripactError(0, String(error));
        }
        throw new TripactError(0, 'the stream ended early');
      },
      turn: (id) => get(`/v1/turns/${id}`),
      activeTask: async (session) => (await get<{ active_task: Task | null }>(`/v1/sessions/${session}`)).active_task,
      task: (id) => get(`/v1/tasks/${id}`),
      files: async (session) => (await get<{ files: SessionFile[] }>(`/v1/sessions/${session}/files?limit=100`)).files,
      file: async (session, path) => {
        const encoded = path.split('/').map(encodeURIComponent).join('/');
        return new Uint8Array(await (await call(`/v1/sessions/${session}/files/${encoded}`)).arrayBuffer());
      },
      cancel: async (task) => void (await post(`/v1/tasks/${task}/cancel`, {}, {})),
    };
  };
