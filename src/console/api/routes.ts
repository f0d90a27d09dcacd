import type { Role } from '../../../contracts/access.ts';
import type { PlanEdit } from '../../../contracts/event.ts';
import type { SessionView, TurnRequest } from '../../../contracts/http.ts';
import type { ModelCall } from '../../../contracts/model-call.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { type RequestOptions, randomId, request, send } from './request.ts';

/** A page of a list: how many, from which cursor on. */
export interface PageQuery {
  limit?: number;
  cursor?: string | null;
  signal?: AbortSignal | undefined;
}

/** Length of an idempotency key. */
export const KEY_CHARS = 24;

const part = encodeURIComponent;

const paged = ({ limit, cursor, signal }: PageQuery): RequestOptions => ({ query: { limit, cursor }, signal });

/** Names a session; null: by its first input again. */
export const renameSession = (session: string, title: string | null) =>
  request<SessionView>(`/v1/sessions/${part(session)}`, { method: 'PATCH', body: { title } });

/** Removes a session. Rejects with 409 while a task of it runs or a turn waits. */
export const deleteSession = (session: string) => send(`/v1/sessions/${part(session)}`, { method: 'DELETE' });

/** Who calls, and the model that answers. */
export const getMe = (signal?: AbortSignal) =>
  request<{ owner: string; role: Role; model: string }>('/v1/me', { signal });

const asked = new Map<string, Promise<SessionView>>();

/** A session; who asks while it is asked for gets the same answer. Rejects with 404 where there is none of this name. */
export const getSession = (session: string): Promise<SessionView> => {
  const answer =
    asked.get(session) ?? request<SessionView>(`/v1/sessions/${part(session)}`).finally(() => asked.delete(session));
  asked.set(session, answer);
  return answer;
};

/** A session's turns, the newest first. */
export const listTurns = (session: string, page: PageQuery = {}) =>
  request<{ turns: TurnView[]; next: string | null }>(`/v1/sessions/${part(session)}/turns`, paged(page));

/** A session's tasks in the order in which they were opened. */
export const listTasks = (session: string, page: PageQuery = {}) =>
  request<{ tasks: TaskView[]; next: string | null }>(`/v1/sessions/${part(session)}/tasks`, paged(page));

/** A task. */
export const getTask = (task: string, signal?: AbortSignal) => request<TaskView>(`/v1/tasks/${part(task)}`, { signal });

/** Sends a turn and does not wait for its reply. The same `key` sent again is the same turn. */
export const sendTurn = (session: string, body: TurnRequest, key = randomId(KEY_CHARS)) =>
  request<TurnView>(`/v1/sessions/${part(session)}/turns`, {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async', 'idempotency-key': key },
  });

/** Edits the plan of a task that waits or is paused, one edit after the other. Rejects with 409 while it runs. */
export const editPlan = (task: string, edits: PlanEdit[]) =>
  request<TaskView>(`/v1/tasks/${part(task)}/plan`, { method: 'PATCH', body: { edits } });

/** Cancels a task that has not ended. */
export const cancelTask = (task: string) => request<TaskView>(`/v1/tasks/${part(task)}/cancel`, { method: 'POST' });

/** The kept calls of an effect, one for each time that the model was asked; none where they are not kept. */
export const listModelCalls = (task: string, effect: string, signal?: AbortSignal) =>
  request<{ calls: ModelCall[] }>(`/v1/tasks/${part(task)}/calls/${part(effect)}`, { signal });
