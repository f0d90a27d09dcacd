import { z } from 'zod';
import { OwnerName } from '../../contracts/access.ts';
import { Timezone } from '../../contracts/http.ts';
import { QUESTION_SECONDS_MAX } from '../../contracts/limits.ts';
import { ReplanMode } from '../../contracts/task.ts';
import { Amount } from '../../contracts/usage.ts';
import { WRITTEN_MODEL, WRITTEN_MODEL_ALLOWED } from './model-config.ts';
import * as kinds from './setting.ts';

/** The tools that come with the service, by name (SPEC 8). */
export const BUILT_IN_TOOLS = [
  'todo',
  'view',
  'schedule',
  'planning',
  'remember',
  'internet_search',
  'files',
  'coding_agent',
] as const;
export type BuiltInTool = (typeof BUILT_IN_TOOLS)[number];

/** The protocols of chat front ends, by name (SPEC 14). */
export const PROTOCOLS = ['openai', 'ai-sdk', 'mcp', 'a2a', 'ag-ui'] as const;
export type ProtocolName = (typeof PROTOCOLS)[number];

/** Every environment variable that Tripact reads, in the order in which people meet them (SPEC 13). */
export const settings = {
  TRIPACT_HOST: kinds.text(/^[A-Za-z0-9.:_-]{1,253}$/, 'a host name or an IP address')(
    'Address to listen on. Beyond loopback it needs keys: those of "tripact keys", or TRIPACT_API_KEYS.',
    '127.0.0.1',
  ),
  TRIPACT_PORT: kinds.wholeNumber(0, 65_535)('Port to listen on; 0 takes any free one.', '8787'),
  TRIPACT_DATA_DIR: kinds.path('Folder of the database and the session workspaces.', './data'),
  TRIPACT_DATABASE_URL: kinds.databaseAddress(
    "PostgreSQL database that stores the data instead of the data folder, sessions' files included.",
  ),
  TRIPACT_NODE_URL: kinds.webAddress(
    'Where other nodes on TRIPACT_DATABASE_URL reach this one. Unset: the service is the only one on it.',
  ),
  TRIPACT_SCHEDULER: kinds.kind('leases or restate', z.enum(['leases', 'restate']))(
    'How nodes agree on which one serves an owner: by leases in the database, or by Restate.',
    'leases',
  ),
  TRIPACT_RESTATE_URL: kinds.webAddress('Ingress of Restate, such as http://restate:8080.'),
  TRIPACT_RESTATE_ADMIN_URL: kinds.webAddress('Admin API of Restate.', 'http://127.0.0.1:9070'),
  TRIPACT_RESTATE_ENDPOINT_URL: kinds.webAddress(
    'Address by which Restate reaches TRIPACT_RESTATE_PORT of all nodes; they register it. Unset: you register them.',
  ),
  TRIPACT_RESTATE_PORT: kinds.wholeNumber(1, 65_535)('Port on which the node listens for Restate.', '9080'),
  TRIPACT_RESTATE_IDENTITY_KEY: kinds.text(
    /^publickeyv1_\w+$/,
    'the public key that Restate logs, such as publickeyv1_ and 44 letters and digits',
  )('Public key of the Restate service that may call that port. Unset: anybody who reaches it may.'),
  TRIPACT_MODEL: kinds.text(
    WRITTEN_MODEL,
    WRITTEN_MODEL_ALLOWED,
  )(
    'Model that answers. Unset: anthropic if ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL is set, openai if OPENAI_API_KEY is, else offline.',
  ),
  TRIPACT_FALLBACK_MODEL: kinds.text(
    WRITTEN_MODEL,
    WRITTEN_MODEL_ALLOWED,
  )('Model that answers if the first one gave no answer after its retries. Unset: the task pauses.'),
  TRIPACT_MODEL_VOICE: kinds.kind('native or text', z.enum(['native', 'text']))(
    'How models answer: by tool calls, or by JSON text for servers without them. Such servers are also detected.',
    'native',
  ),
  TRIPACT_EFFORT: kinds.kind(
    'low, medium or high',
    z.enum(['low', 'medium', 'high']),
  )("How much models that can reason do so before they answer. Unset: each model's default."),
  TRIPACT_MODEL_FILES: kinds.filesOfModels(
    'Files that models look at themselves; of others they get the text, or the name. Unset: images and PDF for claude models and openai, images for those of openrouter that take some, else none.',
  ),
  ANTHROPIC_API_KEY: kinds.headerKey(
    'Key for the Anthropic API; without ANTHROPIC_BASE_URL it also turns on the web search of Anthropic.',
  ),
  ANTHROPIC_BASE_URL: kinds.webAddress(
    'Another server that speaks /v1/messages, such as Ollama, llama.cpp, LM Studio or vLLM.',
  ),
  OPENAI_API_KEY: kinds.headerKey(
    'Key for the OpenAI API, or for the server at TRIPACT_OPENAI_BASE_URL; it is sent to no other server.',
  ),
  OPENROUTER_API_KEY: kinds.headerKey('Key for OpenRouter, for openrouter:<model>.'),
  TRIPACT_OPENAI_BASE_URL: kinds.webAddress(
    'Another server for models of OpenAI and compatible servers: the address that /chat/completions (or /responses) follows, usually ending with /v1.',
  ),
  TRIPACT_MAX_STEPS: kinds.taskLimit('max_steps', 'Budget steps of a task, at its start and at each "continue".'),
  TRIPACT_MAX_TOTAL_STEPS: kinds.taskLimit('max_total_steps', 'Budget steps that a task can get in total.'),
  TRIPACT_FAILURE_LIMIT: kinds.taskLimit('failure_limit', 'Failures in a row before the user is asked.'),
  TRIPACT_PLAN_RETRIES: kinds.taskLimit('plan_retries', 'New tries after a rejected plan.'),
  TRIPACT_MAX_QUESTIONS: kinds.taskLimit('max_questions', 'Questions that one task may ask.'),
  TRIPACT_MAX_PLAN_ITEMS: kinds.taskLimit('max_plan_items', 'Longest plan, in items; a longer one is cut.'),
  TRIPACT_MAX_ROUNDS_PER_ITEM: kinds.taskLimit(
    'max_rounds_per_item',
    'Rounds on one plan item before it must end or ask.',
  ),
  TRIPACT_MAX_REPLANS: kinds.taskLimit('max_replans', 'Replans of one task before it pauses.'),
  TRIPACT_PROMPT_TOKENS: kinds.taskLimit(
    'prompt_tokens',
    'Tokens of a prompt beyond which later prompts omit the results of the oldest actions.',
  ),
  TRIPACT_VERIFY_LIMIT: kinds.taskLimit('verify_limit', 'Failed verifications of one task before it pauses.'),
  TRIPACT_MAX_TASK_TOKENS: kinds.wholeNumber(
    1,
    1_000_000_000,
  )('Tokens of a task, at its start and at each "continue". Unset: unlimited.'),
  TRIPACT_MAX_TASK_COST: kinds.kind(
    'an amount above 0, such as 0.50',
    Amount.refine((amount) => Number(amount) > 0),
  )('Cost of a task by the prices of the configuration file, at its start and at each "continue". Unset: unlimited.'),
  TRIPACT_MODEL_TIMEOUT_MS: kinds.milliseconds('Longest wait for one model answer.', '120000'),
  TRIPACT_TOOL_TIMEOUT_MS: kinds.milliseconds('Longest run of one tool.', '60000'),
  TRIPACT_API_KEYS: kinds.apiKeys(
    'Keys of callers, in addition to those of "tripact keys". Without any keys: no authentication, and everything belongs to the owner "local".',
    '',
  ),
  TRIPACT_OPERATORS: kinds.listOf(OwnerName, 'owners of TRIPACT_API_KEYS with commas between')(
    'Owners whose keys in TRIPACT_API_KEYS have the role operator: for /metrics, /v1/keys, and replays of any trace.',
    '',
  ),
  TRIPACT_JWT_ISSUER: kinds.webAddress('Issuer whose bearer tokens (JWT) are accepted, as its tokens name it.'),
  TRIPACT_JWT_AUDIENCE: kinds.text(
    /^\S{1,512}$/,
    'a text without spaces',
  )('Audience that its tokens must have: this service.'),
  TRIPACT_JWT_JWKS_URL: kinds.webAddress('Address of its public keys. Unset: the one in its discovery document.'),
  TRIPACT_JWT_OWNER_CLAIM: kinds.claimName('Claim that names the owner.', 'sub'),
  TRIPACT_JWT_ROLE_CLAIM: kinds.claimName(
    'Claim that makes a caller an operator if it is or contains "operator".',
    'tripact_role',
  ),
  TRIPACT_JWT_TURNS_CLAIM: kinds.claimName("Claim that sets the owner's turns a day.", 'tripact_turns_per_day'),
  TRIPACT_JWT_TOKENS_CLAIM: kinds.claimName("Claim that sets the owner's tokens a day.", 'tripact_tokens_per_day'),
  TRIPACT_JWT_COST_CLAIM: kinds.claimName("Claim that sets the owner's money a day.", 'tripact_cost_per_day'),
  TRIPACT_URL: kinds.webAddress(
    'Service that terminal commands use. Unset: the one on their data folder, else one of their own.',
  ),
  TRIPACT_API_KEY: kinds.headerKey(
    'Key that terminal commands send to the service. Unset: the first of TRIPACT_API_KEYS.',
  ),
  TRIPACT_ALLOW_UNAUTHENTICATED: kinds.yesOrNo(
    'Listens beyond loopback without keys: only if something else keeps strangers out.',
    'false',
  ),
  TRIPACT_ALLOWED_HOSTS: kinds.listOf(
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z0-9.-]{1,253}$/),
    'host names without ports, several of them with commas between',
  )(
    'Host names that callers without keys may use, besides localhost. Empty: no others on loopback, and any beyond it.',
    '',
  ),
  TRIPACT_CORS_ORIGINS: kinds.origins(
    'Origins whose pages may call the service from a browser. Empty: only its own.',
    '',
  ),
  TRIPACT_BRIDGE_DIR: kinds.path('Folder shared with the coding agent. Unset: there is no tool coding_agent.'),
  TRIPACT_BRIDGE_TIMEOUT_MS: kinds.milliseconds("Longest wait for a coding agent's report.", '600000'),
  TRIPACT_CONFIRM_PLAN: kinds.kind(
    'true, false or after_looking',
    z.union([z.literal('after_looking'), kinds.YES_OR_NO]),
  )("Every new plan waits for the user's yes; after_looking: once reading tools were called for it.", 'false'),
  TRIPACT_PLANNING: kinds.yesOrNo('false: the goal itself is the plan, without a model call.', 'true'),
  TRIPACT_CHAIN: kinds.yesOrNo('As many calls of a model message as possible are used; false: only the first.', 'true'),
  TRIPACT_REPLAN: kinds.kind('always or when_needed', ReplanMode)(
    'When a task replans: after each item, or only where something failed, was said or is left to answer.',
    'always',
  ),
  TRIPACT_QUESTION_EXPIRY: kinds.wholeNumber(
    1,
    QUESTION_SECONDS_MAX,
  )('Seconds after which an unanswered question pauses its task. Unset: never.'),
  TRIPACT_APPROVE: kinds.listOf(
    z.string().regex(/^(?:[A-Za-z0-9_-]{1,64}\*?|\*)$/),
    'names of tools, or beginnings of names with * behind them, with commas between',
  )(
    'Tools that a task may use only with your approval, in addition to those in the configuration file. A policy of theirs can only deny.',
    '',
  ),
  TRIPACT_APPROVALS: kinds.approvalRules(
    'Approval and approvers by tool, as "approvals" of the configuration file, and before it: the first rule that means a tool counts.',
    '[]',
  ),
  TRIPACT_ASK_AFTER_UNTRUSTED: kinds.kind('marked, all or off', z.enum(['marked', 'all', 'off']))(
    'Tools that need your approval once results from outside, such as those of a search, are in the task: those with approval "after_untrusted", all that write outside of the store, or none.',
    'marked',
  ),
  TRIPACT_TOOLS: kinds.namesOf(BUILT_IN_TOOLS)(
    'Available built-in tools, in addition to those of the configuration file. Unset: all that are usable.',
  ),
  TRIPACT_SKILLS_DIR: kinds.path(
    'Folder of skills: folders with a SKILL.md, which tasks read by the tool skill. Unset: "skills" of the configuration file, or none.',
  ),
  TRIPACT_PROTOCOLS: kinds.namesOf(PROTOCOLS)('Protocols of chat front ends that are served.', PROTOCOLS.join(',')),
  TRIPACT_CONSOLE: kinds.yesOrNo('The console at /console is served.', 'true'),
  TRIPACT_TIMEZONE: kinds.kind(
    'an IANA time zone, such as Europe/Berlin',
    Timezone,
  )("Time zone of dates where the user names none. Unset: the host's."),
  TRIPACT_SEARXNG_URL: kinds.webAddress('SearXNG instance that internet_search asks; it must offer the json format.'),
  TRIPACT_CALLBACK_HOSTS: kinds.hosts(
    'Private hosts that a callback_url and TRIPACT_WEBHOOK_URL may reach. Unset: none.',
    '',
  ),
  TRIPACT_WEBHOOK_URL: kinds.webAddress(
    'Where finished turns, questions, approvals, pauses and reminders of all owners are posted. Unset: nowhere.',
  ),
  TRIPACT_SECRET_KEY: kinds.secretKeys(
    "Encrypts owners' sign-ins at MCP servers and seals links to files, such as the output of openssl rand -base64 32; the first of several encrypts, and each decrypts. Unset: neither is offered.",
  ),
  TRIPACT_PUBLIC_URL: kinds.webAddress(
    'Where browsers reach the service, for sign-ins and links to files, and with its path the prefix that it is served below. Unset: http://127.0.0.1 with TRIPACT_PORT for sign-ins, if it listens on loopback; no links; no prefix.',
  ),
  TRIPACT_SIGN_IN_HOSTS: kinds.hosts(
    'Private hosts at which an MCP server may have its users sign in, beside its own. Unset: none.',
    '',
  ),
  TRIPACT_WEBHOOK_SECRET: kinds.webhookSecrets(
    'Signs what is posted to a callback_url or TRIPACT_WEBHOOK_URL, in the form of Standard Webhooks. Unset: no signature.',
  ),
  TRIPACT_AUDIT_WEBHOOK: kinds.webAddress(
    "Where the root of each day's audit (UTC) is posted, shortly after the day. Unset: nowhere.",
  ),
  TRIPACT_CALLBACK_SECRETS: kinds.endpointSecrets(
    'Secrets of individual endpoints, in place of TRIPACT_WEBHOOK_SECRET. Unset: none.',
  ),
  TRIPACT_LOG_LEVEL: kinds.kind(
    'fatal, error, warn, info, debug, trace or silent',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  )('Lowest level of log lines that are written.', 'info'),
  TRIPACT_KEEP_PROMPTS: kinds.wholeNumber(0, 36_500)(
    'Days for which the exact prompts and answers of model calls are kept beside the traces. 0: not kept.',
    '7',
  ),
  TRIPACT_RETENTION_DAYS: kinds.wholeNumber(1, 36_500)('Days for which finished sessions are kept. Unset: forever.'),
} satisfies Record<string, kinds.Setting<unknown, string | null>>;

type Settings = typeof settings;
export type SettingName = keyof Settings;

type Pascal<Words extends string> = Words extends `${infer Word}_${infer Others}`
  ? `${Capitalize<Lowercase<Word>>}${Pascal<Others>}`
  : Capitalize<Lowercase<Words>>;

/** The name of a variable's value: `TRIPACT_DATA_DIR` becomes `dataDir`, `OPENAI_API_KEY` becomes `openaiApiKey`. */
type ValueName<Name extends string> = Uncapitalize<Pascal<Name extends `TRIPACT_${infer Own}` ? Own : Name>>;

/** The values of the variables; null: unset and without a default. */
export type SettingValues = {
  [Name in SettingName as ValueName<Name>]:
    | z.infer<Settings[Name]['read']>
    | (Settings[Name]['fallback'] extends string ? never : null);
};

/** `ValueName` of a name. */
export const valueName = (name: string): string =>
  name
    .replace('TRIPACT_', '')
    .toLowerCase()
    .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
