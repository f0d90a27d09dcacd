import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Role } from '../../contracts/access.ts';
import { TaskLimits } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import { ServiceError } from '../lib/errors.ts';
import { type ModelConfig, modelNamed, type ProviderSettings, suggestedModel } from './model-config.ts';
import { nearestName } from './nearest-name.ts';
import { type SettingValues, settings, valueName } from './settings.ts';

/** Environment variables, or the configuration file's defaults for them. */
export type Environment = Record<string, string | undefined>;

/** Most problems that an error lists, and the longest text of each and of a value in it, in characters. */
const PROBLEMS_MAX = 20;
const PROBLEM_CHARS_MAX = 1_000;
const VALUE_CHARS_MAX = 200;

/** The error that stops a start, with a plain line for each problem. */
export const invalidConfig = (problems: readonly string[]): ServiceError => {
  const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => plainLine(problem, PROBLEM_CHARS_MAX));
  if (problems.length > PROBLEMS_MAX) lines.push(`and ${problems.length - PROBLEMS_MAX} more.`);
  return new ServiceError('CONFIG_INVALID', ['The configuration is not valid:', ...lines].join('\n  '));
};

/**
 * A value as an error may show it: never a secret, and nothing before an @, which may be the credentials of a malformed
 * URL.
 */
const shown = (text: string): string => {
  const place = text.lastIndexOf('@');
  const scheme = /^https?:\/\//.exec(text)?.[0] ?? '';
  const safe = place < 0 ? text : `${scheme}…${text.slice(place)}`;
  return JSON.stringify(safe.length > VALUE_CHARS_MAX ? `${safe.slice(0, VALUE_CHARS_MAX)}…` : safe);
};

/**
 * Parses every variable; an empty one counts as unset. Throws `CONFIG_INVALID` that lists all bad ones with the allowed
 * values.
 */
const readSettings = (env: Environment, options: Environment): SettingValues => {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([name, { read, fallback, allowed, isSecret }]) => {
    const text = env[name]?.trim() || fallback;
    if (text === null) return [valueName(name), null];
    const { success, data } = read.safeParse(text);
    const option = options[name];
    const given = option === undefined ? `${name}=${shown(text)}` : `${option} ${shown(text)}`;
    if (!success) problems.push(`${isSecret ? `${name} (not shown)` : given} must be ${allowed}.`);
    return [valueName(name), data];
  });
  if (problems.length > 0) throw invalidConfig(problems);
  return Object.fromEntries(values);
};

const NAME_CHARS_MAX = 100;

const PREFIX = 'TRIPACT_';
const OWN_NAMES = Object.keys(settings).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));

/** A warning for each unknown name with Tripact's prefix: usually a typo. */
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
  host.toLowerCase() === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

const provider = (apiKey: string | null, baseURL: string | null) => ({
  ...(apiKey !== null && { apiKey }),
  ...(baseURL !== null && { baseURL }),
});

/** Faults of combinations: each variable is valid, but not with the others. */
const contradictions = (values: SettingValues): string[] => {
  const { maxSteps, maxTotalSteps, jwtIssuer: issuer, jwtAudience: audience, jwtJwksUrl: jwksUrl, tools } = values;
  const checks = [
    maxSteps > maxTotalSteps &&
      `TRIPACT_MAX_STEPS=${maxSteps} must not be greater than TRIPACT_MAX_TOTAL_STEPS, which is ${maxTotalSteps}.`,
    ...values.operators
      .filter((owner) => !values.apiKeys.some((key) => key.owner === owner))
      .map((owner) => `TRIPACT_OPERATORS="${owner}" must be an owner of a key in TRIPACT_API_KEYS.`),
    tools?.includes('coding_agent') === true &&
      values.bridgeDir === null &&
      `TRIPACT_TOOLS="${tools.join(',')}" has coding_agent, which needs TRIPACT_BRIDGE_DIR: the folder that it shares.`,
    values.nodeUrl !== null &&
      values.databaseUrl === null &&
      'TRIPACT_NODE_URL needs TRIPACT_DATABASE_URL: the database that the nodes share.',
    values.scheduler === 'restate' &&
      (values.nodeUrl === null || values.restateUrl === null) &&
      'TRIPACT_SCHEDULER=restate needs TRIPACT_DATABASE_URL, TRIPACT_NODE_URL and TRIPACT_RESTATE_URL.',
    issuer === null &&
      (audience !== null || jwksUrl !== null) &&
      'TRIPACT_JWT_AUDIENCE and TRIPACT_JWT_JWKS_URL need TRIPACT_JWT_ISSUER: the issuer whose tokens are accepted.',
    issuer !== null &&
      audience === null &&
      'TRIPACT_JWT_ISSUER needs TRIPACT_JWT_AUDIENCE: tokens that it issues for other services must not be valid here.',
  ];
  return checks.filter((check) => check !== false);
};

/** The issuer whose tokens authenticate callers, and the names of their claims; null: tokens are not accepted. */
const tokensOf = (values: SettingValues) => {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtJwksUrl: jwksUrl } = values;
  if (issuer === null || audience === null) return null;
  const claims = {
    owner: values.jwtOwnerClaim,
    role: values.jwtRoleClaim,
    turnsPerDay: values.jwtTurnsClaim,
    tokensPerDay: values.jwtTokensClaim,
    costPerDay: values.jwtCostClaim,
  };
  return { issuer, audience, jwksUrl, claims };
};

/**
 * Everything that a start needs (SPEC 13): the value of each variable, and what follows from several of them. Contains
 * secrets: never logged as a whole.
 */
export type Config = ReturnType<typeof loadConfig>;

/** The issuer whose tokens authenticate callers; `jwksUrl` null: its discovery document has the address. */
export type TokenSettings = NonNullable<Config['tokens']>;

/** A caller's key and its owner, who may have several. */
export type ApiKey = Config['apiKeys'][number];

/**
 * Validates the environment. Throws `CONFIG_INVALID`, which never contains a secret and names the option in `options`
 * that gave a variable.
 */
export const loadConfig = (env: Environment, options: Environment = {}) => {
  const values = readSettings(env, options);
  const problems = contradictions(values);
  const providers: ProviderSettings = {
    anthropic: provider(values.anthropicApiKey, values.anthropicBaseUrl),
    openai: provider(values.openaiApiKey, values.openaiBaseUrl),
    openrouter: provider(values.openrouterApiKey, null),
  };
  const model: ModelConfig | string = modelNamed(values.model ?? suggestedModel(providers), providers);
  if (typeof model === 'string') problems.push(`TRIPACT_MODEL="${values.model}" ${model}`);
  const fallbackModel = values.fallbackModel === null ? null : modelNamed(values.fallbackModel, providers);
  if (typeof fallbackModel === 'string')
    problems.push(`TRIPACT_FALLBACK_MODEL="${values.fallbackModel}" ${fallbackModel}`);
  if (typeof model === 'string' || typeof fallbackModel === 'string' || problems.length > 0)
    throw invalidConfig(problems);
  const byName = values as Record<string, unknown>;
  const limits = Object.keys(TaskLimits.shape).map((name) => [name, byName[valueName(name)]]);
  const setLimits = limits.filter(([, value]) => value !== null);
  return {
    ...values,
    dataDir: resolve(values.dataDir),
    bridgeDir: values.bridgeDir === null ? null : resolve(values.bridgeDir),
    model,
    fallbackModel,
    /** It takes precedence over the `model` of the configuration file. */
    isModelChosen: values.model !== null,
    providers,
    limits: TaskLimits.parse(Object.fromEntries(setLimits)),
    apiKeys: values.apiKeys.map(({ owner, key }) => {
      const role: Role = values.operators.includes(owner) ? 'operator' : 'user';
      return { owner, key, role };
    }),
    tokens: tokensOf(values),
    /** It listens beyond loopback, and only authenticated callers are served. */
    mustAuthenticate: !values.allowUnauthenticated && !isLoopback(values.host),
    /** The key that terminal commands send. */
    apiKey: values.apiKey ?? values.apiKeys[0]?.key ?? null,
  };
};
