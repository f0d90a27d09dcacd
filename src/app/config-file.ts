import { lstatSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type LimitName, serviceLimits } from '../../contracts/service-limits.ts';
import { Prices } from '../../contracts/usage.ts';
import { Approvers, namesApprovers, ruleOf, SELF, ToolPattern } from '../config/approval-rule.ts';
import { type Environment, invalidConfig } from '../config/config.ts';
import { nearestName } from '../config/nearest-name.ts';
import { TIMEOUT_MS_MAX } from '../config/setting.ts';
import { BUILT_IN_TOOLS, type SettingName, settings } from '../config/settings.ts';
import { messageOf } from '../lib/errors.ts';
import type { ExecutorConfig, TripactConfig } from './define-config.ts';

/** The configuration file's name. It is looked up in the working directory. */
export const CONFIG_FILE = 'tripact.config.ts';

/** Names of tools, executors and servers: valid in a tag, a prompt and a URL path. */
const Name = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$');
const Text = z.string().trim().min(1, 'must not be empty');
const Callable = z.custom((value) => typeof value === 'function', 'must be a function');

/** A list of things with unique names. */
const named = <Shape extends z.ZodType<{ name: string }>>(shape: Shape) =>
  z.array(shape).superRefine((all, ctx) => {
    const seen = new Map<string, number>();
    for (const [index, { name }] of all.entries()) {
      const other = seen.get(name.toLowerCase());
      if (other === undefined) seen.set(name.toLowerCase(), index);
      else
        ctx.addIssue({ code: 'custom', message: `two of them have the same name: ${other} and ${index}, "${name}"` });
    }
  });

/** Longest instructions, in characters: every prompt contains them. */
const INSTRUCTIONS_CHARS_MAX = 16_000;

const APPROVAL = 'must be true, false, "after_untrusted" or a function';

/** Who approves the calls of a tool. */
const ToolApproval = z.union([z.boolean(), z.literal('after_untrusted'), Callable], APPROVAL);

/** Which tools of an MCP server need approval: all of them, or those with these names on the server. */
const McpApproval = z.union([z.boolean(), z.array(Text)]);

/** A tool of the configuration. Loose, because it may have further properties. */
const OwnTool = z
  .looseObject({
    name: Name,
    description: Text,
    usage: Text,
    writes: z.boolean(),
    effect: z.enum(['transactional', 'idempotent', 'at_most_once']),
    approval: ToolApproval.optional(),
    approvers: Approvers.optional(),
    self: z.literal(false).optional(),
    source: z.literal('untrusted').optional(),
    timeoutMs: z.number().int().min(1).max(TIMEOUT_MS_MAX).optional(),
    schema: z.record(z.string(), z.unknown(), 'must be a JSON Schema, as an object').optional(),
    run: Callable,
  })
  .refine(namesApprovers, SELF);

const ApprovalRules = z.array(ruleOf(ToolApproval));

/** A model that is made in code. */
const InCode = z.looseObject({ name: Text, answer: Callable });

/** Another agent as a tool. */
const A2aAgent = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  headers: z.record(z.string(), z.string()).optional(),
  approval: z.boolean().optional(),
  source: z.enum(['trusted', 'untrusted']).optional(),
  writes: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  timeoutMs: z.number().int().min(1).max(TIMEOUT_MS_MAX).optional(),
});

/** One of several agents. */
const AgentShape = z.strictObject({
  description: Text.max(1_000).optional(),
  instructions: Text.max(INSTRUCTIONS_CHARS_MAX).optional(),
  tools: z
    .array(
      z.union([ToolPattern, OwnTool], 'must be the name of a tool, the beginning of one with * behind it, or a tool'),
    )
    .optional(),
  approvals: ApprovalRules.optional(),
  model: z.union([Text, InCode]).optional(),
  skills: z.array(Text).optional(),
});

const ConfigShape = z.strictObject({
  settings: z
    .partialRecord(z.enum(Object.keys(settings) as SettingName[]), z.union([z.string(), z.number(), z.boolean()]))
    .optional(),
  tools: named(OwnTool).optional(),
  approvals: ApprovalRules.optional(),
  builtinTools: z.array(z.enum(BUILT_IN_TOOLS)).optional(),
  executors: named(
    z.strictObject({
      name: Name,
      description: Text,
      tools: z.array(Name).optional(),
      prompt: Text.optional(),
      model: Text.optional(),
    }),
  ).optional(),
  agents: z.record(Name, AgentShape).optional(),
  model: InCode.optional(),
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
            source: z.enum(['trusted', 'untrusted']).optional(),
            tools: z.array(Text).optional(),
          }),
          z.strictObject({
            url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
            headers: z.record(z.string(), z.string()).optional(),
            oauth: z
              .strictObject({
                client_id: Text.optional(),
                client_secret: Text.optional(),
                scope: Text.optional(),
              })
              .optional(),
            approval: McpApproval.optional(),
            source: z.enum(['trusted', 'untrusted']).optional(),
            tools: z.array(Text).optional(),
          }),
        ],
        'must have a "command", with "args" and "env", or an http or https "url", with "headers" and "oauth"; "approval": true, false or a list of tools; "source": "trusted" or "untrusted"; and "tools": a list of them',
      ),
    )
    .optional(),
  a2aAgents: z.record(Name, A2aAgent).optional(),
  instructions: Text.max(INSTRUCTIONS_CHARS_MAX).optional(),
  skills: Text.optional(),
  session_files: z.boolean().optional(),
  limits: z.partialRecord(z.enum(Object.keys(serviceLimits) as LimitName[]), z.number().int().min(1)).optional(),
});

/** The keys allowed at a place of the file, by its first name; empty if any key is allowed. */
const keysAt: Record<string, readonly string[]> = {
  '': Object.keys(ConfigShape.shape),
  settings: Object.keys(settings),
  limits: Object.keys(serviceLimits),
  executors: ['name', 'description', 'tools', 'prompt', 'model'] satisfies (keyof ExecutorConfig)[],
};

/** Problems at a place of the file, with the thing's name. Never a value. */
const problemOf = (issue: z.core.$ZodIssue, exported: unknown): string => {
  const [list, index] = issue.path;
  // Only `defineTool` makes a usage, from the tool's input.
  const isPlain = list === 'tools' && issue.path.length === 3 && issue.path[2] === 'usage';
  const said = (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
  const message = isPlain ? `${said}; use defineTool of 'tripact', which makes it of the tool's input` : said;
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const near = unknown === undefined ? undefined : nearestName(unknown, keysAt[String(list ?? '')] ?? []);
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  const name: unknown = Object(Object(Object(exported)[String(list)])[String(index)]).name;
  const place = [CONFIG_FILE, ...issue.path.map(String)].join(' › ');
  return `${place}: ${message}${meant}${typeof name === 'string' ? ` (of "${name}")` : ''}`;
};

/**
 * Validates a configuration file's export and returns that very object. Throws `CONFIG_INVALID` with a line for each
 * problem.
 */
export const checkConfigFile = (exported: unknown): TripactConfig => {
  const checked = ConfigShape.safeParse(exported);
  if (checked.success) return exported as TripactConfig;
  throw invalidConfig(checked.error.issues.map((issue) => problemOf(issue, exported)));
};

/** Why a configuration file could not be loaded, with the line in it, or in a file that it imports, if known. */
const loadProblem = (error: unknown, file: string): string => {
  const stack = String(Object(error).stack);
  // A syntax error names its place before the error.
  const [, parsed, parsedLine] = /^([^\n]+):(\d+)\n/.exec(stack) ?? [];
  const frames = [...stack.matchAll(/(file:\/\/[^\s()]+):(\d+):\d+/g)].map(([, url = '', line]) => ({
    path: fileURLToPath(url),
    line,
  }));
  const frame =
    frames.find(({ path }) => path === file) ?? frames.find(({ path }) => !path.startsWith(import.meta.dirname));
  const found = parsed === undefined ? frame : { path: parsed, line: parsedLine };
  const place = found === undefined ? CONFIG_FILE : `${relative(dirname(file), found.path)}:${found.line}`;
  return `${place} could not be loaded: ${messageOf(error)}`;
};

/**
 * Packages that a configuration file can import wherever it is: this package itself, and the zod of its tools' inputs.
 */
const OUR_PACKAGES = /^(tripact|zod)(\/|$)/;

/** The configuration file of a folder, as an absolute path; null: none. A dangling link counts as a file. */
export const findConfigFile = (cwd: string): string | null => {
  const file = join(cwd, CONFIG_FILE);
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? null : file;
};

/** Loads `tripact.config.ts` from a folder; without the file, an empty configuration. Throws `CONFIG_INVALID`. */
export const loadConfigFile = async (cwd: string): Promise<TripactConfig> => {
  const file = findConfigFile(cwd);
  if (file === null) return {};
  let loaded: { default?: unknown };
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(
        specifier,
        OUR_PACKAGES.test(specifier) ? { ...context, parentURL: import.meta.url } : context,
      );
      // `npm init` creates CommonJS packages. The file, and what it imports beside it, are ES modules there too.
      return found.format === 'commonjs-typescript' ? { ...found, format: 'module-typescript' } : found;
    },
  });
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    throw invalidConfig([loadProblem(error, file)]);
  } finally {
    hooks.deregister();
  }
  if (loaded.default === undefined) throw invalidConfig([`${CONFIG_FILE} must export its configuration as default.`]);
  return checkConfigFile(loaded.default);
};

/** The environment with the file's settings behind it: a variable that is set and not empty takes precedence. */
export const withFileSettings = (env: Environment, file: TripactConfig): Environment => {
  const fromFile = Object.entries(file.settings ?? {}).map(([name, value]) => [name, String(value)]);
  const fromEnv = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '');
  return { ...Object.fromEntries(fromFile), ...Object.fromEntries(fromEnv) };
};
