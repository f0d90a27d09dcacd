import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { OwnerName, type Role } from '../../../contracts/access.ts';
import { Timezone } from '../../../contracts/http.ts';
import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import { WRITTEN_MODEL, WRITTEN_MODEL_ALLOWED } from './model-config.ts';
import { PROTOCOLS } from './protocol-names.ts';
import { milliseconds, path, type Setting, taskLimit, webAddress, wholeNumber, yesOrNo } from './setting.ts';
import type { SettingName } from './setting-name.ts';

/** A caller's key and the owner that it speaks for. An owner may have several keys. */
export interface ApiKey {
  owner: string;
  key: string;
  role: Role;
}

/** Shortest API key, in characters: a shorter one can be guessed. */
const API_KEY_CHARS_MIN = 16;

const apiKeyEntry = new RegExp(`^([A-Za-z0-9_-]{1,64}):([^\\s,]{${API_KEY_CHARS_MIN},512})$`);

/** A key as a header can carry it: what is copied from a page may have blanks that are not seen. */
const HEADER_TEXT = /^[!-~]+$/;
const HEADER_TEXT_ALLOWED = 'a key of letters, digits and signs of ASCII, without spaces';

/** The name of a claim, which may be an address, or a path with dots. */
const claimName = (fallback: string, meaning: string): Setting<string, string> => ({
  read: z.string().regex(/^\S{1,256}$/),
  fallback,
  meaning,
  allowed: 'a name without spaces; a path has dots, such as realm_access.roles',
});

/** A list with commas between its entries, without empty ones. */
const commaList = z.string().transform((list) =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

const readApiKeys = commaList.transform((entries, ctx): Omit<ApiKey, 'role'>[] => {
  const keys = entries.flatMap((entry) => {
    const [, owner, key] = apiKeyEntry.exec(entry) ?? [];
    return owner !== undefined && key !== undefined ? [{ owner, key }] : [];
  });
  const distinct = new Set(keys.map(({ key }) => key)).size;
  if (distinct < entries.length) ctx.addIssue({ code: 'custom', message: 'an entry is malformed or repeats a key' });
  return keys;
});

const lowerCaseList = commaList.transform((entries) => entries.map((entry) => entry.toLowerCase()));

/** Names of tools, as `TRIPACT_APPROVE` lists them; which there are is known only with the configuration file. */
const readToolNames = commaList
  .pipe(z.array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)))
  .transform((names) => [...new Set(names)]);

/** Origins as browsers send them, such as `https://app.example`. */
const readOrigins = commaList.transform((entries, ctx): string[] =>
  entries.flatMap((entry) => {
    const url = URL.parse(entry);
    if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return [url.origin];
    ctx.addIssue({ code: 'custom', message: 'an entry is no origin' });
    return [];
  }),
);

const readHostNames = lowerCaseList.pipe(z.array(z.string().regex(/^[a-z0-9.-]{1,253}$/)));

/** Host names, addresses and networks. */
const readCallbackHosts = lowerCaseList.transform((entries, ctx) => {
  const names: string[] = [];
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const entry of entries) {
    if (ipaddr.isValidCIDR(entry)) networks.push(ipaddr.parseCIDR(entry));
    else if (ipaddr.isValid(entry)) {
      const address = ipaddr.process(entry);
      networks.push([address, address.kind() === 'ipv4' ? 32 : 128]);
    } else if (/^(?!\d+(\.\d+)*$)[a-z0-9._-]{1,253}$/.test(entry)) names.push(entry);
    else ctx.addIssue({ code: 'custom', message: 'an entry is malformed' });
  }
  return { names, networks };
});

/** What a list of names says for none of them. */
const NONE = 'none';

/** Some of the names that there are, or none. */
const readNames = <Name extends string>(names: readonly Name[]) =>
  lowerCaseList
    .transform((chosen) => (chosen.length === 1 && chosen[0] === NONE ? [] : chosen))
    .pipe(z.array(z.enum(names)))
    .transform((chosen) => [...new Set(chosen)]);

/** Every environment variable that Tripact reads, in the order in which people meet them (SPEC 13). */
export const settings = {
  TRIPACT_HOST: {
    read: z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/),
    fallback: '127.0.0.1',
    meaning: 'Address to listen on. Beyond loopback it needs keys: those of "tripact keys", or TRIPACT_API_KEYS.',
    allowed: 'a host name or an IP address',
  },
  TRIPACT_PORT: wholeNumber(0, 65_535, { fallback: '8787', meaning: 'Port to listen on; 0 takes any free one.' }),
  TRIPACT_DATA_DIR: path({ fallback: './data', meaning: 'Folder of the database and the session workspaces.' }),
  TRIPACT_MODEL: {
    read: z.string().regex(WRITTEN_MODEL),
    fallback: null,
    meaning: 'Model that answers. Unset: anthropic if ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL is set, else offline.',
    allowed: WRITTEN_MODEL_ALLOWED,
  },
  ANTHROPIC_API_KEY: {
    read: z.string().regex(HEADER_TEXT),
    fallback: null,
    meaning: 'Key for the Anthropic API; without ANTHROPIC_BASE_URL it also turns on the web search of Anthropic.',
    allowed: HEADER_TEXT_ALLOWED,
    secret: true,
  },
  ANTHROPIC_BASE_URL: webAddress(
    'Another server that speaks /v1/messages, such as Ollama, llama.cpp, LM Studio or vLLM.',
  ),
  OPENAI_API_KEY: {
    read: z.string().regex(HEADER_TEXT),
    fallback: null,
    meaning: 'Key for the server at TRIPACT_OPENAI_BASE_URL. Unset: none is sent.',
    allowed: HEADER_TEXT_ALLOWED,
    secret: true,
  },
  TRIPACT_OPENAI_BASE_URL: webAddress(
    'Server of an openai-compatible model: where /chat/completions begins, mostly with /v1 at its end.',
  ),
  TRIPACT_MAX_STEPS: taskLimit('max_steps', 'Budget steps of a task, at its start and at each "continue".'),
  TRIPACT_MAX_TOTAL_STEPS: taskLimit('max_total_steps', 'Budget steps that a task can ever get.'),
  TRIPACT_FAILURE_LIMIT: taskLimit('failure_limit', 'Failures in a row before the user is asked.'),
  TRIPACT_PLAN_RETRIES: taskLimit('plan_retries', 'New tries after a rejected plan.'),
  TRIPACT_MAX_QUESTIONS: taskLimit('max_questions', 'Questions that one task may ask.'),
  TRIPACT_MAX_PLAN_ITEMS: taskLimit('max_plan_items', 'Longest plan, in items; a longer one is cut.'),
  TRIPACT_MAX_ROUNDS_PER_ITEM: taskLimit('max_rounds_per_item', 'Rounds on one plan item before it must end or ask.'),
  TRIPACT_MAX_REPLANS: taskLimit('max_replans', 'Replans of one task before it pauses.'),
  TRIPACT_VERIFY_LIMIT: taskLimit('verify_limit', 'Failed verifications of one task before it pauses.'),
  TRIPACT_MAX_TASK_TOKENS: wholeNumber(1, 1_000_000_000, {
    fallback: null,
    meaning: 'Tokens of a task, at its start and at each "continue". Unset: any number.',
  }),
  TRIPACT_MODEL_TIMEOUT_MS: milliseconds({ fallback: '120000', meaning: 'Longest wait for one model answer.' }),
  TRIPACT_TOOL_TIMEOUT_MS: milliseconds({ fallback: '60000', meaning: 'Longest run of one tool.' }),
  TRIPACT_API_KEYS: {
    read: readApiKeys,
    fallback: '',
    meaning:
      'Keys that callers must show, beside those of "tripact keys". Without any: no authentication, and everything belongs to the owner "local".',
    allowed:
      'owner:key, several of them with commas between; an owner has 1 to 64 letters, digits, _ or -, ' +
      `a key has ${API_KEY_CHARS_MIN} to 512 characters, and no key is there twice`,
    secret: true,
  },
  TRIPACT_OPERATORS: {
    read: commaList.pipe(z.array(OwnerName)),
    fallback: '',
    meaning: 'Owners whose keys in TRIPACT_API_KEYS are of operators: for /metrics, /v1/keys, and to replay any trace.',
    allowed: 'owners of TRIPACT_API_KEYS with commas between',
  },
  TRIPACT_JWT_ISSUER: webAddress('Issuer whose bearer tokens (JWT) let callers in, as its tokens name it.'),
  TRIPACT_JWT_AUDIENCE: {
    read: z.string().regex(/^\S{1,512}$/),
    fallback: null,
    meaning: 'Audience that its tokens must be for: this service.',
    allowed: 'a text without spaces',
  },
  TRIPACT_JWT_JWKS_URL: webAddress('Where its public keys are. Unset: where its discovery document says.'),
  TRIPACT_JWT_OWNER_CLAIM: claimName('sub', 'Claim that names the owner.'),
  TRIPACT_JWT_ROLE_CLAIM: claimName('tripact_role', 'Claim whose "operator", alone or in a list, makes an operator.'),
  TRIPACT_JWT_TURNS_CLAIM: claimName('tripact_turns_per_day', "Claim that sets the owner's turns a day."),
  TRIPACT_JWT_TOKENS_CLAIM: claimName('tripact_tokens_per_day', "Claim that sets the owner's tokens a day."),
  TRIPACT_URL: webAddress(
    'Service that the commands in a terminal talk to. Unset: the one on their data folder, else one of their own.',
  ),
  TRIPACT_API_KEY: {
    read: z.string().regex(HEADER_TEXT),
    fallback: null,
    meaning: 'Key that the commands in a terminal show to the service. Unset: the first of TRIPACT_API_KEYS.',
    allowed: HEADER_TEXT_ALLOWED,
    secret: true,
  },
  TRIPACT_ALLOW_UNAUTHENTICATED: yesOrNo({
    fallback: 'false',
    meaning: 'Listens beyond loopback without keys: only where something else keeps strangers out.',
  }),
  TRIPACT_ALLOWED_HOSTS: {
    read: readHostNames,
    fallback: '',
    meaning:
      'Names that it may be called by without keys, besides localhost. Empty: no others on loopback, and any beyond it.',
    allowed: 'host names without ports, several of them with commas between',
  },
  TRIPACT_CORS_ORIGINS: {
    read: readOrigins,
    fallback: '',
    meaning: 'Origins whose pages may call in a browser. Empty: none but its own.',
    allowed: 'origins such as https://app.example, several of them with commas between',
  },
  TRIPACT_BRIDGE_DIR: path({
    fallback: null,
    meaning: 'Folder shared with the coding agent. Unset: there is no tool coding_agent.',
  }),
  TRIPACT_BRIDGE_TIMEOUT_MS: milliseconds({ fallback: '600000', meaning: "Longest wait for a coding agent's report." }),
  TRIPACT_CONFIRM_PLAN: yesOrNo({ fallback: 'false', meaning: "Every new plan waits for the user's yes." }),
  TRIPACT_PLANNING: yesOrNo({ fallback: 'true', meaning: 'false: the goal itself is the plan, without a model call.' }),
  TRIPACT_APPROVE: {
    read: readToolNames,
    fallback: '',
    meaning: 'Tools that a task may use only after your yes, beside those that the configuration file says so of.',
    allowed: 'names of tools with commas between',
  },
  TRIPACT_TOOLS: {
    read: readNames(BUILT_IN_TOOLS),
    fallback: null,
    meaning: 'Built-in tools that there are, beside those of the configuration file. Unset: all that can be used.',
    allowed: `names with commas between, of ${BUILT_IN_TOOLS.join(', ')}; or ${NONE}`,
  },
  TRIPACT_PROTOCOLS: {
    read: readNames(PROTOCOLS),
    fallback: PROTOCOLS.join(','),
    meaning: 'Protocols of chat front ends that are served.',
    allowed: `names with commas between, of ${PROTOCOLS.join(', ')}; or ${NONE}`,
  },
  TRIPACT_CONSOLE: yesOrNo({ fallback: 'true', meaning: 'The console at /console is served.' }),
  TRIPACT_TIMEZONE: {
    read: Timezone,
    fallback: null,
    meaning: "Time zone of dates where the user names none. Unset: the host's.",
    allowed: 'an IANA time zone, such as Europe/Berlin',
  },
  TRIPACT_SEARXNG_URL: webAddress('SearXNG instance that internet_search asks; it must offer the json format.'),
  TRIPACT_CALLBACK_HOSTS: {
    read: readCallbackHosts,
    fallback: '',
    meaning: 'What a callback_url and TRIPACT_WEBHOOK_URL may reach though it is private. Unset: nothing private.',
    allowed: 'host names, IP addresses or networks such as 10.0.0.0/8, several of them with commas between',
  },
  TRIPACT_WEBHOOK_URL: webAddress(
    'Where finished turns, questions, approvals, pauses and reminders of all owners are posted. Unset: nowhere.',
  ),
  TRIPACT_WEBHOOK_SECRET: {
    read: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/)
      .transform((text) => Buffer.from(text.slice('whsec_'.length), 'base64')),
    fallback: null,
    meaning:
      'Signs what is posted to a callback_url or TRIPACT_WEBHOOK_URL, in the form of Standard Webhooks. Unset: no signature.',
    allowed: 'whsec_ and 24 to 64 random bytes in base64',
    secret: true,
  },
  TRIPACT_LOG_LEVEL: {
    read: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: 'info',
    meaning: 'Least severe log lines that are written.',
    allowed: 'fatal, error, warn, info, debug, trace or silent',
  },
  TRIPACT_KEEP_PROMPTS: wholeNumber(0, 36_500, {
    fallback: '7',
    meaning: 'Days that the exact prompts and answers of model calls are kept beside the traces. 0: none are.',
  }),
  TRIPACT_RETENTION_DAYS: wholeNumber(1, 36_500, {
    fallback: null,
    meaning: 'Days that finished sessions are kept. Unset: for ever.',
  }),
} satisfies Record<SettingName, Setting<unknown, string | null>>;

type Settings = typeof settings;

/** What the variables read as; null where one is unset and has no default. */
export type SettingValues = {
  [Name in SettingName]:
    | (Settings[Name]['read'] extends z.ZodType<infer Value, string> ? Value : never)
    | (Settings[Name]['fallback'] extends string ? never : null);
};
