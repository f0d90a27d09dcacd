import type { Role } from '../../../contracts/access.ts';
import type { FeedbackRequest } from '../../../contracts/feedback.ts';
import type { SessionView, TurnRequest } from '../../../contracts/http.ts';
import type { ModelCall, ModelCallSummary } from '../../../contracts/model-call.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { ForkPreview, TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { isFeedbackLine } from '../../history/feedback-line.ts';
import { parseNdjson } from '../../history/parse-ndjson.ts';
import { path, type RequestOptions, randomId, request, send } from './request.ts';

/** Most items in one page of a list that the API allows. */
export const PAGE_MAX = 500;

/** All pages of a list. */
export const allPages = async <Page extends object>(address: string, signal?: AbortSignal): Promise<Page[]> => {
  const pages: Page[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Page & { next: string | null } = await request(address, { query: { limit: PAGE_MAX, cursor }, signal });
    pages.push(page);
    if (page.next === null) return pages;
    cursor = page.next;
  }
};

/** All items of a list, which its pages have under `name`. */
export const allItems = async <Item>(address: string, name: string, signal?: AbortSignal): Promise<Item[]> =>
  (await allPages<Record<string, Item[]>>(address, signal)).flatMap((page) => page[name] ?? []);

/** The caller, and the model that answers. */
export const getMe = (signal: AbortSignal) =>
  request<{ owner: string; role: Role; model: string }>('/v1/me', { signal });

const asked = new Map<string, Promise<SessionView>>();

/** A session. Simultaneous callers share one request. Rejects with 404 if there is none with this name. */
export const getSession = (session: string): Promise<SessionView> => {
  const answer =
    asked.get(session) ?? request<SessionView>(path`/v1/sessions/${session}`).finally(() => asked.delete(session));
  asked.set(session, answer);
  return answer;
};

/** A task. */
export const getTask = (task: string, signal?: AbortSignal) => request<TaskView>(path`/v1/tasks/${task}`, { signal });

/** Length of an idempotency key. */
export const KEY_CHARS = 24;

/** A turn with files as a form, which the service streams to its disk. */
const formOf = ({ input, ...turn }: TurnRequest, files: readonly File[]): FormData => {
  const form = new FormData();
  if (input !== undefined && input !== '') form.set('input', input);
  form.set('turn', JSON.stringify(turn));
  for (const file of files) form.append('file', file, file.name);
  return form;
};

/**
 * Sends a turn without waiting for its reply. Sending the same `key` again gives the same turn. Later requests for its
 * session get a newer answer.
 */
export const sendTurn = (session: string, body: TurnRequest, key = randomId(KEY_CHARS), files: readonly File[] = []) =>
  request<TurnView>(path`/v1/sessions/${session}/turns`, {
    method: 'POST',
    body: files.length === 0 ? body : formOf(body, files),
    headers: { prefer: 'respond-async', 'idempotency-key': key },
  }).finally(() => asked.delete(session));

/** Says what the user thinks of a turn's reply. Returns the turn with it. */
export const sendFeedback = (turn: string, body: FeedbackRequest) =>
  request<TurnView>(path`/v1/turns/${turn}/feedback`, { method: 'PUT', body });

/** Takes that back. */
export const removeFeedback = (turn: string) => send(path`/v1/turns/${turn}/feedback`, { method: 'DELETE' });

/** The address of a file of a session, by its path in the session's folder. */
export const fileAddress = (session: string, file: string): string =>
  `${path`/v1/sessions/${session}/files`}/${file.split('/').map(encodeURIComponent).join('/')}`;

export const readFile = async (session: string, file: string): Promise<Blob> =>
  (await send(fileAddress(session, file))).blob();

/** The preview of a fork of a task at an entry. */
export const previewFork = (task: string, at: number, signal: AbortSignal) =>
  request<ForkPreview>(path`/v1/tasks/${task}/fork`, { query: { at }, signal });

/** A trace as text, one entry a line. */
export const traceText = async (address: string, options?: RequestOptions): Promise<string> =>
  (await send(address, options)).text();

/** The entries of a trace, without the feedback behind them. */
export const readTrace = async (address: string, options?: RequestOptions): Promise<TraceEntry[]> =>
  (await Array.fromAsync(parseNdjson([await traceText(address, options)])))
    .filter((line) => !isFeedbackLine(line))
    .map((entry) => entry as TraceEntry);

/** A task's trace. */
export const listTrace = (task: string, signal?: AbortSignal) => readTrace(path`/v1/tasks/${task}/trace`, { signal });

/** The stored model calls of a task, without their texts. */
export const listCalls = (task: string, signal?: AbortSignal) =>
  allItems<ModelCallSummary>(path`/v1/tasks/${task}/calls`, 'calls', signal);

/** The stored model calls for an effect, complete. */
export const getCalls = (task: string, effect: string, signal?: AbortSignal) =>
  allItems<ModelCall>(path`/v1/tasks/${task}/calls/${effect}`, 'calls', signal);
