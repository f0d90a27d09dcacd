import { z } from 'zod';
import { TaskLimits } from '../../../contracts/task.ts';

/** One environment variable: how its text is parsed, what it means, and the description of its allowed values. */
export interface Setting<Value, Fallback extends string | null> {
  /** Reads the text. Its issues are never shown, for they could hold a secret: the message says `allowed` instead. */
  read: z.ZodType<Value, string>;
  /** The default for an unset or empty variable; null: there is then no value. */
  fallback: Fallback;
  meaning: string;
  allowed: string;
  /** A secret's value is shown nowhere. */
  secret?: true;
}

type Described<Fallback extends string | null> = { fallback: Fallback; meaning: string };

/** A whole number within bounds, both included. */
export const wholeNumber = <Fallback extends string | null>(
  min: number,
  max: number,
  described: Described<Fallback>,
): Setting<number, Fallback> => ({
  ...described,
  read: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max)),
  allowed: `a whole number from ${min} to ${max}`,
});

/** Longest time that a timeout may be set to, in milliseconds: a day, and timers wrap round after 24 of them. */
export const TIMEOUT_MS_MAX = 24 * 60 * 60 * 1_000;

/** A duration in whole milliseconds, up to a day. */
export const milliseconds = (described: Described<string>): Setting<number, string> => ({
  ...wholeNumber(1, TIMEOUT_MS_MAX, described),
  allowed: `whole milliseconds from 1 to ${TIMEOUT_MS_MAX}`,
});

/** A switch. */
export const yesOrNo = (described: Described<string>): Setting<boolean, string> => ({
  ...described,
  read: z.stringbool({ truthy: ['true', '1', 'yes', 'on'], falsy: ['false', '0', 'no', 'off'] }),
  allowed: 'true or false',
});

/** A task limit, with the bounds and the default that its contract gives it. */
export const taskLimit = (
  name: Exclude<keyof TaskLimits, 'max_task_tokens'>,
  meaning: string,
): Setting<number, string> => {
  const field = TaskLimits.shape[name];
  const { minValue, maxValue } = field.unwrap();
  const fallback = String(field.def.defaultValue);
  return wholeNumber(minValue ?? 0, maxValue ?? Number.MAX_SAFE_INTEGER, { fallback, meaning });
};

/** A path as a person writes it. */
export const path = <Fallback extends string | null>(described: Described<Fallback>): Setting<string, Fallback> => ({
  ...described,
  read: z.string().refine((text) => !text.includes('\0')),
  allowed: 'a path',
});

/** An http or https address. Credentials in it are refused: they would end up in errors and logs. */
export const webAddress = (meaning: string): Setting<string, null> => ({
  read: z.string().refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  }),
  fallback: null,
  meaning,
  allowed: 'an http or https URL without credentials',
});
