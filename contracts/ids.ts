import { z } from 'zod';

/** A session's name, chosen by the client; safe as a path segment on every file system (SPEC 1). */
export const SessionId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$');

/**
 * The owner of everything where no keys are configured (SPEC 8). Folders of its sessions are named by the session only.
 */
export const LOCAL_OWNER = 'local';

/** A task's permanent id: `task_` and 26 characters, sortable by the time it was opened. */
export const TaskId = z.string().regex(/^task_[0-9a-z]{1,40}$/);

/** A turn's permanent id: `turn_` and 26 characters, sortable by the time it arrived. */
export const TurnId = z.string().regex(/^turn_[0-9a-z]{1,40}$/);

/** A plan item's id, given by the model or made from its position in the plan. */
export const ItemId = z.string().trim().min(1).max(64);

/** An entry's link to the entries before it: a SHA-256 in hex (SPEC 12). */
export const Chain = z.string().regex(/^[0-9a-f]{64}$/);

/** An effect's number within its task, from 1. */
export const EffectNumber = z.number().int().min(1);

/**
 * An effect's id outside its task's history: for tools, models, spans, progress and the HTTP API. `at`: the position of
 * one of several calls made at the same time.
 */
export const effectId = (taskId: string, effect: number, at?: number): string =>
  at === undefined ? `${taskId}.${effect}` : `${taskId}.${effect}.${at}`;
