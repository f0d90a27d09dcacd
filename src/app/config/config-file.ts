import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type LimitName, serviceLimits } from '../../../contracts/service-limits.ts';
import { Prices } from '../../../contracts/usage.ts';
import { CONFIG_FILE, fileProblems, loadProblem } from './config-file-problems.ts';
import type { ExecutorConfig, TripactConfig } from './define-config.ts';
import { type Environment, invalidConfig } from './read-settings.ts';
import { TIMEOUT_MS_MAX } from './setting.ts';
import type { SettingName } from './setting-name.ts';
import { settings } from './settings.ts';

/** Names of tools, executors and servers: what a tag, a prompt and a URL path can all carry. */
const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$');
const Text = z.string().trim().min(1, 'must not be empty');
const Callable = z.custom((value) => typeof value === 'function', 'must be a function');

/** Tools that a file may have, and executors: each task keeps the names of all, and each plan's prompt has their usage. */
const NAMED_MAX = 1_000;

/** Tools that all executors may name together: each task keeps them, and is stored with them as it opens. */
const EXECUTORS_TOOLS_MAX = 20_000;

const refuseSameNames = (all: readonly { name: string }[], ctx: z.core.$RefinementCtx): void => {
  const seen = new Map<string, number>();
  for (const [index, { name }] of all.entries()) {
    const other = seen.get(name.toLowerCase());
    if (other === undefined) seen.set(name.toLowerCase(), index);
    else ctx.addIssue({ code: 'custom', message: `two of them have the same name: ${other} and ${index}, "${name}"` });
  }
};

/** A list of things with names, no two of which are the same. Its length is checked before what is in it. */
const named = <Shape extends z.ZodType<{ name: string }>>(shape: Shape) =>
  z
    .array(z.unknown())
    .max(NAMED_MAX, `must have ${NAMED_MAX} entries at most`)
    .pipe(z.array(shape).superRefine(refuseSameNames));

/** Longest instructions, in characters: they are part of every prompt. */
const INSTRUCTIONS_CHARS_MAX = 16_000;

/** Which tools of an MCP server need approval: all of them, or those that the server names so. */
const McpApproval = z.union([z.boolean(), z.array(Text)]);

const ConfigShape = z.strictObject({
  settings: z
    .partialRecord(z.enum(Object.keys(settings) as SettingName[]), z.union([z.string(), z.number(), z.boolean()]))
    .optional(),
  tools: named(
    // Loose: a tool may carry more, which is its own affair.
    z.looseObject({
      name: Name,
      description: Text,
      usage: Text,
      writes: z.boolean(),
      effect: z.enum(['transactional', 'idempotent', 'at_most_once']),
      approval: z.boolean().optional(),
      timeoutMs: z.number().int().min(1).max(TIMEOUT_MS_MAX).optional(),
      run: Callable,
    }),
  ).optional(),
  executors: named(
    z.strictObject({
      name: Name,
      description: Text,
      tools: z.array(Name).optional(),
      prompt: Text.optional(),
      model: Text.optional(),
    }),
  )
    .refine(
      (all) => all.reduce((sum, { tools = [] }) => sum + tools.length, 0) <= EXECUTORS_TOOLS_MAX,
      `must name ${EXECUTORS_TOOLS_MAX} tools together at most; one that may use all names none`,
    )
    .optional(),
  model: z.looseObject({ name: Text, answer: Callable }).optional(),
  prices: Prices.optional(),
  verify: z
    .array(
      z.union([z.array(Text).min(1), Callable], "must be a function, or a command as a list such as ['npm', 'test']"),
    )
    .optional(),
  mcpServers: z
    .record(
      Name,
      z.union(
        [
          z.strictObject({
            command: Text,
            args: z.array(z.string()).optional(),
            env: z.record(z.string(), z.string()).optional(),
            approval: McpApproval.optional(),
          }),
          z.strictObject({
            url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
            headers: z.record(z.string(), z.string()).optional(),
            approval: McpApproval.optional(),
          }),
        ],
        'must have a "command", with "args" and "env", or an http or https "url", with "headers"; and "approval": true, false or a list of tools',
      ),
    )
    .optional(),
  instructions: Text.max(INSTRUCTIONS_CHARS_MAX).optional(),
  session_files: z.boolean().optional(),
  limits: z.partialRecord(z.enum(Object.keys(serviceLimits) as LimitName[]), z.number().int().min(1)).optional(),
});

/** The keys that there are at a place of the file, by its first name: for a slip in one of them. */
const keysAt = ([list]: readonly PropertyKey[]): readonly string[] => {
  switch (list) {
    case undefined:
      return Object.keys(ConfigShape.shape);
    case 'settings':
      return Object.keys(settings);
    case 'limits':
      return Object.keys(serviceLimits);
    case 'executors':
      return ['name', 'description', 'tools', 'prompt', 'model'] satisfies (keyof ExecutorConfig)[];
    default:
      return [];
  }
};

/** Checks it; what its getters throw is why it could not be loaded. */
const safelyChecked = (exported: unknown): ReturnType<typeof ConfigShape.safeParse> => {
  try {
    return ConfigShape.safeParse(exported);
  } catch (error) {
    throw invalidConfig([loadProblem(error, CONFIG_FILE)]);
  }
};

/**
 * Checks what a configuration file exports and gives back that very object, so that its tools stay the ones that were
 * made. Throws `CONFIG_INVALID` with the place and what is wrong, never with a value.
 */
export const checkConfigFile = (exported: unknown, source = ''): TripactConfig => {
  const checked = safelyChecked(exported);
  if (checked.success) return exported as TripactConfig;
  throw invalidConfig(fileProblems(checked.error.issues, { exported, source, keysAt }));
};

/** Names that a configuration file may import wherever it lies: the package itself, and the zod that its tools' inputs are made of. */
const OUR_PACKAGES = /^(tripact|zod)(\/|$)/;

/** What a path leads to; undefined where a link leads nowhere. */
const statOf = (file: string): Stats | undefined => {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
};

/** The configuration file of a folder, as an absolute path; null where there is none. Throws `CONFIG_INVALID` where something else has its name, such as a folder, a pipe or a link to nothing. */
export const findConfigFile = (cwd: string): string | null => {
  const file = join(cwd, CONFIG_FILE);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
  if (statOf(file)?.isFile() !== true)
    throw invalidConfig([`${file} is no file that can be read: remove it, or put a file in its place.`]);
  return file;
};

/** Longest load of the file, in milliseconds: it may await something that never comes. */
const LOAD_MS_MAX = 60_000;

/** What the promise gives. Rejects after so many milliseconds; only a loop that never ends can't be left so. */
const within = async <Value>(ms: number, promise: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(`it awaits something that did not come within ${ms / 1_000} s`), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/** Loads `tripact.config.ts` from a folder; without the file, an empty configuration. Throws `CONFIG_INVALID`, also where it takes longer than `loadMs` milliseconds. */
export const loadConfigFile = async (cwd: string, loadMs = LOAD_MS_MAX): Promise<TripactConfig> => {
  const file = findConfigFile(cwd);
  if (file === null) return {};
  let loaded: { default?: unknown };
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(
        specifier,
        OUR_PACKAGES.test(specifier) ? { ...context, parentURL: import.meta.url } : context,
      );
      // `npm init` makes packages of CommonJS; the file and what it imports beside it are ES modules there too.
      return found.format === 'commonjs-typescript' ? { ...found, format: 'module-typescript' } : found;
    },
  });
  try {
    loaded = await within(loadMs, import(pathToFileURL(file).href));
  } catch (error) {
    throw invalidConfig([loadProblem(error, file)]);
  } finally {
    hooks.deregister();
  }
  if (loaded.default === undefined) throw invalidConfig([`${CONFIG_FILE} must export its configuration as default.`]);
  return checkConfigFile(loaded.default, readFileSync(file, 'utf8'));
};

/** The environment with the file's settings behind it: a variable that is set, and not empty, wins. */
export const withFileSettings = (env: Environment, file: TripactConfig): Environment => {
  const fromFile = Object.entries(file.settings ?? {}).map(([name, value]) => [name, String(value)]);
  const fromEnv = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '');
  return { ...Object.fromEntries(fromFile), ...Object.fromEntries(fromEnv) };
};
