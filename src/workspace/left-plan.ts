import { lstatSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { LeftStep } from '../../contracts/event.ts';
import { TaskId } from '../../contracts/ids.ts';
import { FILE_BYTES_MAX, PLAN_ITEMS_READ_MAX, STEP_CHARS_MAX } from '../../contracts/limits.ts';
import { cutText } from '../../contracts/text.ts';

/** Longest goal and result that are taken over, in characters: they are part of prompts. */
const TEXT_CHARS_MAX = 2_000;

const ID_CHARS_MAX = 64;

const text = z.string().trim().min(1);

/** A plan in the form of `plan.json`, as far as another task can go on with it. */
const Plan = z.object({
  goal: text.transform((goal) => cutText(goal, TEXT_CHARS_MAX)),
  status: z.string().nullish(),
  steps: z
    .array(
      z.object({ description: text, status: z.string().nullish(), result: z.string().nullish() }).transform(
        ({ description, status, result }): LeftStep => ({
          step: cutText(description, STEP_CHARS_MAX),
          is_completed: status === 'completed',
          result: result ? cutText(result, TEXT_CHARS_MAX) : null,
        }),
      ),
    )
    .min(1)
    .max(PLAN_ITEMS_READ_MAX),
});

/** A regular file's JSON, undefined where it is none or longer than `FILE_BYTES_MAX`; null where there is no such file. */
const jsonIn = (file: string): { json: unknown } | null => {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return null;
  try {
    return { json: stats.size > FILE_BYTES_MAX ? undefined : JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return { json: undefined };
  }
};

const idIn = (json: unknown): string => String(Object(json).id ?? '');

/** Whose plan a plan.json is: its id as a file's name may have it, else `other`, and whether that is a task's; null where there is no file. */
export const planOwner = (file: string): { id: string; isTask: boolean } | null => {
  const read = jsonIn(file);
  if (read === null) return null;
  const stated = idIn(read.json);
  const id = stated.replace(/[^\w.-]/g, '_').slice(0, ID_CHARS_MAX) || 'other';
  return { id, isTask: TaskId.safeParse(stated).success };
};

/** The plan that another system left unfinished in a plan.json; undefined where there is none, or it is of a task of this service. */
export const readLeftPlan = (file: string): { goal: string; steps: LeftStep[] } | undefined => {
  const json = jsonIn(file)?.json;
  const plan = Plan.safeParse(json).data;
  if (plan === undefined || plan.status === 'completed' || TaskId.safeParse(idIn(json)).success) return undefined;
  return { goal: plan.goal, steps: plan.steps };
};
