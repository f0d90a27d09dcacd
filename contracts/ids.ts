import { z } from 'zod';

/** A session's name, chosen by the client; safe as one path segment on every file system (SPEC 1). */
export const SessionId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$');

/** The owner of everything where no keys are configured (SPEC 8). Its sessions' folders bear the session's name alone. */
export const LOCAL_OWNER = 'local';

/** Names a task for good: `task_` and 26 characters, sortable by the time it was opened. */
export const TaskId = z.string().regex(/^task_[0-9a-z]{1,40}$/);

/** Names a turn for good: `turn_` and 26 characters, sortable by the time it came in. */
export const TurnId = z.string().regex(/^turn_[0-9a-z]{1,40}$/);

/** A plan item's id, given by the model or made from its place in the plan. */
export const ItemId = z.string().trim().min(1).max(64);

/** An effect's number in its task, from 1. */
export const EffectNumber = z.number().int().min(1);

/** The id that an effect has outside its task's history: for tools, models, spans, progress and the HTTP API. `at`: of one of several calls that it makes at once. */
export const effectId = (taskId: string, effect: number, at?: number): string =>
  at === undefined ? `${taskId}.${effect}` : `${taskId}.${effect}.${at}`;
