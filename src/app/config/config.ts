import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { TaskLimits } from '../../../contracts/task.ts';
import type { BuiltInTool } from './built-in-tools.ts';
import { type ModelConfig, modelNamed, type ProviderSettings, providersOf } from './model-config.ts';
import type { ProtocolName } from './protocol-names.ts';
import { type Environment, invalidConfig, readSettings, unknownSettings } from './read-settings.ts';
import type { ApiKey, SettingValues } from './settings.ts';
import { type TokenSettings, tokenSettingsOf } from './token-settings.ts';

/** All that a start needs to know (SPEC 13). Contains secrets: it is never logged whole. */
export interface Config {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** An absolute path. */
  dataDir: string;
  /** The folder shared with the coding agent, an absolute path; null: there is no coding agent. */
  bridgeDir: string | null;
  model: ModelConfig;
  /** TRIPACT_MODEL is set: it wins over the `model` of the configuration file. */
  isModelChosen: boolean;
  /** For executors with models of their own. */
  providers: ProviderSettings;
  limits: TaskLimits;
  modelTimeoutMs: number;
  toolTimeoutMs: number;
  bridgeTimeoutMs: number;
  /** Keys besides those that are stored. Without any of either: no authentication, and everything belongs to the owner `local`. */
  apiKeys: ApiKey[];
  /** Whose bearer tokens let callers in; null: nobody's. */
  tokens: TokenSettings | null;
  /** It listens beyond loopback, and only for callers who show who they are. */
  mustAuthenticate: boolean;
  /** The service that the commands in a terminal talk to; null: the one on their data folder, else one of their own. */
  url: string | null;
  /** The key that they show to it; null where nobody needs one. */
  apiKey: string | null;
  /** Names that callers without keys may use besides those of loopback, in lower case. */
  allowedHosts: string[];
  /** Origins whose pages may call. */
  corsOrigins: string[];
  confirmPlan: boolean;
  /** False: the goal itself is the plan, without a model call. */
  planning: boolean;
  /** Tools that need approval, by name, whatever they say of themselves. */
  approve: string[];
  /** The built-in tools that there are; null: all that can be used. */
  builtInTools: BuiltInTool[] | null;
  /** The protocols of chat front ends that are served. */
  protocols: ProtocolName[];
  /** The console is served. */
  console: boolean;
  /** The zone of dates where the user names none; null: the host's. */
  timezone: string | null;
  searxngUrl: string | null;
  /** What callbacks may reach though it is private. */
  callbackHosts: SettingValues['TRIPACT_CALLBACK_HOSTS'];
  /** Where the events of all owners are posted; null: nowhere. */
  webhookUrl: string | null;
  /** Signs callbacks; null: they bear no signature. */
  webhookKey: Buffer | null;
  logLevel: SettingValues['TRIPACT_LOG_LEVEL'];
  /** Days that finished sessions are kept; null: for ever. */
  retentionDays: number | null;
  /** Days that prompts and answers of model calls are kept; 0: none are. */
  keepPromptsDays: number;
  /** Variables with Tripact's prefix that are unknown, for a warning. */
  unknown: string[];
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

/** The model that is chosen, or that the keys and addresses which are set suggest; a text says what it lacks. */
const modelOf = ({ TRIPACT_MODEL: chosen }: SettingValues, providers: ProviderSettings): ModelConfig | string => {
  const { apiKey, baseURL } = providers.anthropic;
  const suggested = apiKey === undefined && baseURL === undefined ? 'offline' : 'anthropic';
  return modelNamed(chosen ?? suggested, providers);
};

/** What single variables can't tell: each is fine, but not with the others. */
const contradictions = (values: SettingValues): string[] => {
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
  return problems;
};

/** Checks the environment and builds the configuration. Throws `CONFIG_INVALID`; its message never contains a secret. */
export const loadConfig = (env: Environment): Config => {
  const values = readSettings(env);
  const problems = contradictions(values);
  const providers = providersOf(values);
  const model = modelOf(values, providers);
  if (typeof model === 'string') problems.push(`TRIPACT_MODEL="${values.TRIPACT_MODEL}" ${model}`);
  const tokens = tokenSettingsOf(values);
  if (typeof tokens === 'string') problems.push(tokens);
  if (typeof model === 'string' || typeof tokens === 'string' || problems.length > 0) throw invalidConfig(problems);
  const dataDir = resolve(values.TRIPACT_DATA_DIR);
  return {
    host: values.TRIPACT_HOST,
    port: values.TRIPACT_PORT,
    dataDir,
    bridgeDir: values.TRIPACT_BRIDGE_DIR === null ? null : resolve(values.TRIPACT_BRIDGE_DIR),
    model,
    isModelChosen: values.TRIPACT_MODEL !== null,
    providers,
    limits: TaskLimits.parse({
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
    }),
    modelTimeoutMs: values.TRIPACT_MODEL_TIMEOUT_MS,
    toolTimeoutMs: values.TRIPACT_TOOL_TIMEOUT_MS,
    bridgeTimeoutMs: values.TRIPACT_BRIDGE_TIMEOUT_MS,
    apiKeys: values.TRIPACT_API_KEYS.map((key) => ({
      ...key,
      role: values.TRIPACT_OPERATORS.includes(key.owner) ? 'operator' : 'user',
    })),
    tokens,
    mustAuthenticate: !values.TRIPACT_ALLOW_UNAUTHENTICATED && !isLoopback(values.TRIPACT_HOST),
    url: values.TRIPACT_URL,
    apiKey: values.TRIPACT_API_KEY ?? values.TRIPACT_API_KEYS[0]?.key ?? null,
    allowedHosts: values.TRIPACT_ALLOWED_HOSTS,
    corsOrigins: values.TRIPACT_CORS_ORIGINS,
    confirmPlan: values.TRIPACT_CONFIRM_PLAN,
    planning: values.TRIPACT_PLANNING,
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
    unknown: unknownSettings(env),
  };
};
