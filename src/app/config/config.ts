import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Role } from '../../../contracts/access.ts';
import type { TaskLimits } from '../../../contracts/task.ts';
import { plainLine } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type ModelConfig, modelNamed, type ProviderSettings } from './model-config.ts';
import { nearestName } from './nearest-name.ts';
import { type SettingValues, settings } from './settings.ts';

/** Environment variables, or settings of the configuration file that stand in for them. */
export type Environment = Record<string, string | undefined>;

/** Problems that an error lists, and the longest text of each and of a value in it, in characters. */
const PROBLEMS_MAX = 20;
const PROBLEM_CHARS_MAX = 1_000;
const VALUE_CHARS_MAX = 200;

/** The error that stops a start, a plain line for each problem. */
export const invalidConfig = (problems: readonly string[]): ServiceError => {
  const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => plainLine(problem, PROBLEM_CHARS_MAX));
  if (problems.length > PROBLEMS_MAX) lines.push(`and ${problems.length - PROBLEMS_MAX} more.`);
  return new ServiceError('CONFIG_INVALID', ['The configuration is not valid:', ...lines].join('\n  '));
};

/** A value as an error may show it: never a secret, and nothing before an @, which may be the credentials of a URL that is none. */
const shown = (name: string, text: string): string => {
  const place = text.lastIndexOf('@');
  const scheme = /^https?:\/\//.exec(text)?.[0] ?? '';
  const safe = place < 0 ? text : `${scheme}…${text.slice(place)}`;
  return `${name}=${JSON.stringify(safe.length > VALUE_CHARS_MAX ? `${safe.slice(0, VALUE_CHARS_MAX)}…` : safe)}`;
};

/** Reads every variable; an empty one counts as unset. Throws `CONFIG_INVALID` that lists all bad ones with what is allowed. */
const readSettings = (env: Environment): SettingValues => {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([name, { read, fallback, allowed, isSecret }]) => {
    const text = env[name]?.trim() || fallback;
    if (text === null) return [name, null];
    const { success, data } = read.safeParse(text);
    if (!success) problems.push(`${isSecret ? `${name} (not shown)` : shown(name, text)} must be ${allowed}.`);
    return [name, data];
  });
  if (problems.length > 0) throw invalidConfig(problems);
  return Object.fromEntries(values);
};

/** Longest name of an unknown variable that is shown, in characters. */
const NAME_CHARS_MAX = 100;

/** The prefix of Tripact's own variables, and their names behind it. */
const PREFIX = 'TRIPACT_';
const OWN_NAMES = Object.keys(settings).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));

/** A warning for each name that begins as Tripact's own variables do but is none: most often a slip of the keyboard. */
export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !Object.hasOwn(settings, name))
    .map((name) => {
      const shown = plainLine(name, NAME_CHARS_MAX);
      const near = nearestName(shown.slice(PREFIX.length), OWN_NAMES);
      const meant = near === undefined ? '"tripact config" lists them' : `did you mean ${PREFIX}${near}?`;
      return `Warning: ${shown} is not a setting of Tripact; ${meant}`;
    });

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

const provider = (apiKey: string | null, baseURL: string | null) => ({
  ...(apiKey !== null && { apiKey }),
  ...(baseURL !== null && { baseURL }),
});

/** Faults that single variables can't tell: each is fine, but not with the others. */
const contradictions = (values: SettingValues): string[] => {
  const { TRIPACT_JWT_ISSUER: issuer, TRIPACT_JWT_AUDIENCE: audience, TRIPACT_JWT_JWKS_URL: jwksUrl } = values;
  const problems: string[] = [];
  if (values.TRIPACT_MAX_STEPS > values.TRIPACT_MAX_TOTAL_STEPS)
    problems.push(
      `TRIPACT_MAX_STEPS=${values.TRIPACT_MAX_STEPS} must not be more than TRIPACT_MAX_TOTAL_STEPS, which is ${values.TRIPACT_MAX_TOTAL_STEPS}.`,
    );
  for (const owner of values.TRIPACT_OPERATORS)
    if (!values.TRIPACT_API_KEYS.some((key) => key.owner === owner))
      problems.push(`TRIPACT_OPERATORS="${owner}" must be an owner of a key in TRIPACT_API_KEYS.`);
  if (values.TRIPACT_TOOLS?.includes('coding_agent') === true && values.TRIPACT_BRIDGE_DIR === null)
    problems.push(
      `TRIPACT_TOOLS="${values.TRIPACT_TOOLS.join(',')}" has coding_agent, which needs TRIPACT_BRIDGE_DIR: the folder that it shares.`,
    );
  if (issuer === null && (audience !== null || jwksUrl !== null))
    problems.push('TRIPACT_JWT_AUDIENCE and TRIPACT_JWT_JWKS_URL need TRIPACT_JWT_ISSUER: whose tokens are taken.');
  if (issuer !== null && audience === null)
    problems.push(
      'TRIPACT_JWT_ISSUER needs TRIPACT_JWT_AUDIENCE: tokens that it issues for other services must let nobody in here.',
    );
  return problems;
};

/** Whose tokens let callers in. */
export interface TokenSettings {
  issuer: string;
  audience: string;
  /** Where the issuer's public keys are; null: where its discovery document says. */
  jwksUrl: string | null;
  /** Which claims say what. */
  claims: Record<'owner' | 'role' | 'turnsPerDay' | 'tokensPerDay', string>;
}

const tokensOf = (values: SettingValues): TokenSettings | null => {
  const { TRIPACT_JWT_ISSUER: issuer, TRIPACT_JWT_AUDIENCE: audience, TRIPACT_JWT_JWKS_URL: jwksUrl } = values;
  if (issuer === null || audience === null) return null;
  const claims = {
    owner: values.TRIPACT_JWT_OWNER_CLAIM,
    role: values.TRIPACT_JWT_ROLE_CLAIM,
    turnsPerDay: values.TRIPACT_JWT_TURNS_CLAIM,
    tokensPerDay: values.TRIPACT_JWT_TOKENS_CLAIM,
  };
  return { issuer, audience, jwksUrl, claims };
};

/** A caller's key and the owner that it speaks for. An owner may have several keys. */
export interface ApiKey {
  owner: string;
  key: string;
  role: Role;
}

/** All that a start needs to know (SPEC 13); null where something is not set. Contains secrets: it is never logged whole. */
export type Config = ReturnType<typeof loadConfig>;

/** Checks the environment and builds the configuration. Throws `CONFIG_INVALID`; its message never contains a secret. */
export const loadConfig = (env: Environment) => {
  const values = readSettings(env);
  const problems = contradictions(values);
  const providers: ProviderSettings = {
    anthropic: provider(values.ANTHROPIC_API_KEY, values.ANTHROPIC_BASE_URL),
    openai: provider(values.OPENAI_API_KEY, values.TRIPACT_OPENAI_BASE_URL),
  };
  const suggested = Object.keys(providers.anthropic).length === 0 ? 'offline' : 'anthropic';
  const model: ModelConfig | string = modelNamed(values.TRIPACT_MODEL ?? suggested, providers);
  if (typeof model === 'string') problems.push(`TRIPACT_MODEL="${values.TRIPACT_MODEL}" ${model}`);
  if (typeof model === 'string' || problems.length > 0) throw invalidConfig(problems);
  return {
    host: values.TRIPACT_HOST,
    port: values.TRIPACT_PORT,
    dataDir: resolve(values.TRIPACT_DATA_DIR),
    bridgeDir: values.TRIPACT_BRIDGE_DIR === null ? null : resolve(values.TRIPACT_BRIDGE_DIR),
    model,
    /** It wins over the `model` of the configuration file. */
    isModelChosen: values.TRIPACT_MODEL !== null,
    /** For executors with models of their own. */
    providers,
    limits: {
      max_steps: values.TRIPACT_MAX_STEPS,
      max_total_steps: values.TRIPACT_MAX_TOTAL_STEPS,
      failure_limit: values.TRIPACT_FAILURE_LIMIT,
      plan_retries: values.TRIPACT_PLAN_RETRIES,
      max_questions: values.TRIPACT_MAX_QUESTIONS,
      max_plan_items: values.TRIPACT_MAX_PLAN_ITEMS,
      max_rounds_per_item: values.TRIPACT_MAX_ROUNDS_PER_ITEM,
      max_replans: values.TRIPACT_MAX_REPLANS,
      verify_limit: values.TRIPACT_VERIFY_LIMIT,
      max_task_tokens: values.TRIPACT_MAX_TASK_TOKENS,
    } satisfies TaskLimits as TaskLimits,
    modelTimeoutMs: values.TRIPACT_MODEL_TIMEOUT_MS,
    toolTimeoutMs: values.TRIPACT_TOOL_TIMEOUT_MS,
    bridgeTimeoutMs: values.TRIPACT_BRIDGE_TIMEOUT_MS,
    apiKeys: values.TRIPACT_API_KEYS.map(
      (key): ApiKey => ({ ...key, role: values.TRIPACT_OPERATORS.includes(key.owner) ? 'operator' : 'user' }),
    ),
    tokens: tokensOf(values),
    /** It listens beyond loopback, and only for callers who show who they are. */
    mustAuthenticate: !values.TRIPACT_ALLOW_UNAUTHENTICATED && !isLoopback(values.TRIPACT_HOST),
    url: values.TRIPACT_URL,
    /** The key that commands in a terminal show. */
    apiKey: values.TRIPACT_API_KEY ?? values.TRIPACT_API_KEYS[0]?.key ?? null,
    allowedHosts: values.TRIPACT_ALLOWED_HOSTS,
    corsOrigins: values.TRIPACT_CORS_ORIGINS,
    confirmPlan: values.TRIPACT_CONFIRM_PLAN,
    planning: values.TRIPACT_PLANNING,
    /** When a replan follows an item that completed (SPEC 3). */
    replan: values.TRIPACT_REPLAN,
    approve: values.TRIPACT_APPROVE,
    builtInTools: values.TRIPACT_TOOLS,
    protocols: values.TRIPACT_PROTOCOLS,
    console: values.TRIPACT_CONSOLE,
    timezone: values.TRIPACT_TIMEZONE,
    searxngUrl: values.TRIPACT_SEARXNG_URL,
    callbackHosts: values.TRIPACT_CALLBACK_HOSTS,
    webhookUrl: values.TRIPACT_WEBHOOK_URL,
    webhookKey: values.TRIPACT_WEBHOOK_SECRET,
    logLevel: values.TRIPACT_LOG_LEVEL,
    retentionDays: values.TRIPACT_RETENTION_DAYS,
    keepPromptsDays: values.TRIPACT_KEEP_PROMPTS,
  };
};
