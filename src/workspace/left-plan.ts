import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { z } from 'zod';
import type { LeftStep } from '../../contracts/event.ts';
import { TaskId } from '../../contracts/ids.ts';
import { FILE_BYTES_MAX, PLAN_ITEMS_READ_MAX, STEP_CHARS_MAX } from '../../contracts/limits.ts';
import { cutText } from '../../contracts/text.ts';
import { orNothing } from './read-files.ts';

/** Longest goal and result that are taken over, in characters: prompts contain them. */
const TEXT_CHARS_MAX = 2_000;

const ID_CHARS_MAX = 64;

const text = z.string().trim().min(1);

/** The words for a completed step or plan, in lower case. */
const COMPLETED = ['completed', 'complete', 'done', 'finished', 'success', 'succeeded', '完成', '已完成'];
const isCompleted = (status: string | null | undefined): boolean =>
  COMPLETED.includes(status?.trim().toLowerCase() ?? '');

const leftStep = (step: string, status?: string | null, result?: string | null): LeftStep => ({
  step: cutText(step, STEP_CHARS_MAX),
  is_completed: isCompleted(status),
  result: result ? cutText(result, TEXT_CHARS_MAX) : null,
});

const listOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).min(1).max(PLAN_ITEMS_READ_MAX);

const goal = text.transform((said) => cutText(said, TEXT_CHARS_MAX));

/** A plan in the format of `plan.json`, as far as another task can continue it. */
const Plan = z.object({
  goal,
  status: z.string().nullish(),
  steps: listOf(
    z
      .object({ description: text, status: z.string().nullish(), result: z.string().nullish() })
      .transform(({ description, status, result }) => leftStep(description, status, result)),
  ),
});

/** A plan of OpenManus, whose statuses and notes are separate lists. */
const TitledPlan = z
  .object({
    title: goal,
    steps: listOf(text),
    step_statuses: z.array(z.string()).default([]),
    step_notes: z.array(z.string()).default([]),
  })
  .transform(({ title, steps, step_statuses, step_notes }) => {
    const left = steps.map((step, i) => leftStep(step, step_statuses[i], step_notes[i]?.trim()));
    return { goal: title, status: left.every((step) => step.is_completed) ? 'completed' : null, steps: left };
  });

/** By a byte order mark, or by the zero byte of an ASCII letter in UTF-16. */
const encodingOf = ([first, second]: Buffer): 'utf-16le' | 'utf-16be' | 'utf-8' => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
};

/** The text of a file in UTF-8, or in UTF-16 as other systems write it; null for other encodings, such as GBK. */
const textOf = (bytes: Buffer): string | null => {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** The entry at a path, which may be a link; null: none. */
const statsOf = (file: string): Stats | null => {
  try {
    return lstatSync(file);
  } catch (error) {
    return orNothing(null)(error);
  }
};

/**
 * A regular file's JSON; undefined if it is not JSON or longer than `FILE_BYTES_MAX`; null if there is no such file.
 */
const jsonIn = (file: string): { json: unknown; isText: boolean } | null => {
  const stats = statsOf(file);
  if (stats?.isFile() !== true) return null;
  if (stats.size > FILE_BYTES_MAX) return { json: undefined, isText: true };
  const content = textOf(readFileSync(file));
  return { json: content === null ? undefined : parsed(content), isText: content !== null };
};

const idIn = (json: unknown): string => String(Object(json).id ?? Object(json).plan_id ?? '');

/**
 * The owner of a plan.json: its id in a form that file names allow, else `other`, and whether it is a task's; null if
 * there is no file.
 */
export const planOwner = (file: string): { id: string; isTask: boolean } | null => {
  const read = jsonIn(file);
  if (read === null) return null;
  const stated = idIn(read.json);
  const id = stated.replace(/[^\w.-]/g, '_').slice(0, ID_CHARS_MAX) || 'other';
  return { id, isTask: TaskId.safeParse(stated).success };
};

/**
 * The plan that another system left unfinished in a plan.json; `not_text` for a file in an encoding other than UTF-8 or
 * UTF-16; undefined if there is none, or if it is from a task of this service.
 */
export const readLeftPlan = (file: string): { goal: string; steps: LeftStep[] } | 'not_text' | undefined => {
  const read = jsonIn(file);
  if (read?.isText === false) return 'not_text';
  const plan = z.union([Plan, TitledPlan]).safeParse(read?.json).data;
  if (plan === undefined || isCompleted(plan.status) || TaskId.safeParse(idIn(read?.json)).success) return undefined;
  return { goal: plan.goal, steps: plan.steps };
};
