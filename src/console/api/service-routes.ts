import type { KeyRequest, ListedKey, NewKey, QuotaChange, QuotaView, UserView } from '../../../contracts/access.ts';
import type { CallbackView } from '../../../contracts/callback.ts';
import type { GoalView } from '../../../contracts/goal.ts';
import type { FactView, FileView, McpServerView, ToolView } from '../../../contracts/http.ts';
import type { ModelCall, ModelCallSummary } from '../../../contracts/model-call.ts';
import type { LimitView } from '../../../contracts/service-limits.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { ForkPreview, TurnView } from '../../../contracts/turn-view.ts';
import type { UsageDay } from '../../../contracts/usage.ts';
import { parseNdjson } from '../../engine/replay/parse-ndjson.ts';
import { request, send } from './request.ts';

const part = encodeURIComponent;

/** Most items of one page of a list, as the API allows it. */
const PAGE_MAX = 500;

/** All pages of a list. */
const allPages = async <Page extends object>(path: string, signal: AbortSignal | undefined): Promise<Page[]> => {
  const pages: Page[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Page & { next: string | null } = await request(path, { query: { limit: PAGE_MAX, cursor }, signal });
    pages.push(page);
    if (page.next === null) return pages;
    cursor = page.next;
  }
};

/** All items of a list, which its pages have under `name`. */
const allItems = async <Item>(path: string, name: string, signal: AbortSignal | undefined): Promise<Item[]> =>
  (await allPages<Record<string, Item[]>>(path, signal)).flatMap((page) => page[name] ?? []);

/** Tools that tasks may use, and the MCP servers. */
export const listTools = async (signal?: AbortSignal) => {
  const pages = await allPages<{ tools: ToolView[]; servers: McpServerView[] }>('/v1/tools', signal);
  return { tools: pages.flatMap(({ tools }) => tools), servers: pages.at(-1)?.servers ?? [] };
};

/** The JSON Schemas of all that a model may say. */
export const getContracts = (signal?: AbortSignal) => request<Record<string, unknown>>('/v1/contracts', { signal });

/** The limits of the service. */
export const listLimits = (signal?: AbortSignal) => request<{ limits: LimitView[] }>('/v1/limits', { signal });

/** Usage of each of the last days, the newest first. */
export const getUsage = (days: number, signal?: AbortSignal) =>
  request<{ today: UsageDay; quota: QuotaView | null; days: UsageDay[] }>('/v1/usage', {
    query: { limit: days },
    signal,
  });

/** The facts that are remembered of the caller over sessions. */
export const listMemory = (signal?: AbortSignal) => allItems<FactView>('/v1/memory', 'facts', signal);

export const addFact = (text: string) => request<FactView>('/v1/memory', { method: 'POST', body: { text } });

export const deleteFact = (id: number) => send(`/v1/memory/${id}`, { method: 'DELETE' });

/** The caller's goals on a schedule. */
export const listGoals = (signal?: AbortSignal) => allItems<GoalView>('/v1/goals', 'goals', signal);

export const deleteGoal = (id: number) => send(`/v1/goals/${id}`, { method: 'DELETE' });

const filePath = (session: string, path: string): string =>
  `/v1/sessions/${part(session)}/files/${path.split('/').map(part).join('/')}`;

/** The files of a session's folder, by path. */
export const listFiles = async (session: string, signal?: AbortSignal) => {
  const pages = await allPages<{ files: FileView[]; next: string | null }>(
    `/v1/sessions/${part(session)}/files`,
    signal,
  );
  return pages.flatMap(({ files }) => files);
};

export const readFile = async (session: string, path: string) => (await send(filePath(session, path))).blob();

/** Writes a file, new or in place of another. */
export const writeFile = (session: string, path: string, body: Blob) =>
  send(filePath(session, path), { method: 'PUT', body });

export const deleteFile = (session: string, path: string) => send(filePath(session, path), { method: 'DELETE' });

/** The newest callbacks. */
export const listCallbacks = (signal?: AbortSignal) =>
  request<{ callbacks: CallbackView[]; next: string | null }>('/v1/callbacks', { signal });

export const resendCallback = (id: string) => send(`/v1/callbacks/${part(id)}/resend`, { method: 'POST' });

/** All keys. For operators. */
export const listKeys = (signal?: AbortSignal) => allItems<ListedKey>('/v1/keys', 'keys', signal);

/** The users of all front ends. For operators. */
export const listUsers = (signal?: AbortSignal) => allItems<UserView>('/v1/users', 'users', signal);

/** Makes a key, which is shown this once. */
export const addKey = (body: Partial<KeyRequest> & Pick<KeyRequest, 'owner'>) =>
  request<NewKey>('/v1/keys', { method: 'POST', body });

export const revokeKey = (id: string) => send(`/v1/keys/${part(id)}`, { method: 'DELETE' });

/** Changes what an owner may use a day; null: any number. */
export const changeQuota = (owner: string, body: QuotaChange) =>
  send(`/v1/quotas/${part(owner)}`, { method: 'PATCH', body });

/** The preview of a fork of a task at an entry. */
export const previewFork = (task: string, at: number | null, signal?: AbortSignal) =>
  request<ForkPreview>(`/v1/tasks/${part(task)}/fork`, { query: { at }, signal });

/** Makes a fork, and gives the turn that it will answer. */
export const forkTask = (task: string, body: { at: number; input?: string }) =>
  request<TurnView>(`/v1/tasks/${part(task)}/fork`, { method: 'POST', body });

/** A task's trace as it is, one entry a line. */
export const traceText = async (task: string, signal?: AbortSignal): Promise<string> =>
  (await send(`/v1/tasks/${part(task)}/trace`, { signal })).text();

const entriesIn = (trace: string) => Array.fromAsync(parseNdjson([trace]), (entry) => entry as TraceEntry);

/** A task's trace. */
export const listTrace = async (task: string, signal?: AbortSignal): Promise<TraceEntry[]> =>
  entriesIn(await traceText(task, signal));

/** A session's trace behind the entry with the seq `after`. */
export const listSessionTrace = async (session: string, after: number, signal: AbortSignal): Promise<TraceEntry[]> =>
  entriesIn(await (await send(`/v1/sessions/${part(session)}/trace`, { query: { after }, signal })).text());

/** The model calls of a task that are kept, without their texts. */
export const listCalls = (task: string, signal?: AbortSignal) =>
  allItems<ModelCallSummary>(`/v1/tasks/${part(task)}/calls`, 'calls', signal);

/** The whole model calls for an effect that are kept. */
export const getCalls = (task: string, effect: string, signal?: AbortSignal) =>
  allItems<ModelCall>(`/v1/tasks/${part(task)}/calls/${part(effect)}`, 'calls', signal);
