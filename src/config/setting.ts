import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { FileKinds } from '../../contracts/file.ts';
import { TaskLimits } from '../../contracts/task.ts';
import { ApprovalRules } from './approval-rule.ts';

/** One environment variable: a row of the table of settings. */
export interface Setting<Value, Fallback extends string | null> {
  meaning: string;
  /** The default for an unset or empty variable; null: no value. */
  fallback: Fallback;
  allowed: string;
  /** Parses the text. Its issues are never shown, as they could quote a secret: an error shows `allowed` instead. */
  read: z.ZodType<Value, string>;
  isSecret: boolean;
}

/** A kind of value: makes rows of it. */
export const kind =
  <Value>(allowed: string, read: z.ZodType<Value, string>, isSecret = false) =>
  <Fallback extends string | null = null>(meaning: string, fallback = null as Fallback): Setting<Value, Fallback> => ({
    meaning,
    fallback,
    allowed,
    read,
    isSecret,
  });

export const text = (form: RegExp, allowed: string) => kind(allowed, z.string().regex(form));

export const wholeNumber = (min: number, max: number, allowed = `a whole number from ${min} to ${max}`) =>
  kind(
    allowed,
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
  );

/** Longest timeout, in milliseconds: a day; timers overflow after 24 of them. */
export const TIMEOUT_MS_MAX = 24 * 60 * 60 * 1_000;

export const milliseconds = wholeNumber(1, TIMEOUT_MS_MAX, `whole milliseconds from 1 to ${TIMEOUT_MS_MAX}`);

export const YES_OR_NO = z.stringbool({ truthy: ['true', '1', 'yes', 'on'], falsy: ['false', '0', 'no', 'off'] });

export const yesOrNo = kind('true or false', YES_OR_NO);

/** A task's limit, with its contract's bounds and default. */
export const taskLimit = (name: Exclude<keyof TaskLimits, 'max_task_tokens' | 'max_task_cost'>, meaning: string) => {
  const { minValue, maxValue } = TaskLimits.shape[name].unwrap();
  return wholeNumber(minValue!, maxValue!)(meaning, String(TaskLimits.shape[name].def.defaultValue));
};

export const path = kind(
  'a path',
  z.string().refine((written) => !written.includes('\0')),
);

/** An http or https address. Credentials in it are refused: they would end up in errors and logs. */
export const webAddress = kind(
  'an http or https URL without credentials',
  z.string().refine((written) => {
    const url = URL.parse(written);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  }),
);

/** The address of a PostgreSQL database. It may contain a password, so it is never shown. */
export const databaseAddress = kind(
  'postgres://user:password@host:port/database',
  z.string().refine((written) => /^postgres(ql)?:$/.test(URL.parse(written)?.protocol ?? '')),
  true,
);

/** A key that a header can carry. A key copied from a page may contain invisible blanks. */
export const headerKey = kind(
  'a key of letters, digits and signs of ASCII, without spaces',
  z.string().regex(/^[!-~]+$/),
  true,
);

/** The name of a token's claim, which may be an address, or a path with dots. */
export const claimName = text(/^\S{1,256}$/, 'a name without spaces; a path has dots, such as realm_access.roles');

const commaList = z.string().transform((list) =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Secrets that keys are derived from, long enough not to be guessed: the one in use, and those before it. */
export const secretKeys = kind(
  'a secret of 32 characters or more, without a comma; while one takes the place of another, the new one, a comma and the old one',
  commaList.pipe(z.array(z.string().min(32)).min(1)),
  true,
);

/** A list of unique entries of one form. */
export const listOf = (entry: z.ZodType<string, string>, allowed: string) =>
  kind(
    allowed,
    commaList.pipe(z.array(entry)).transform((entries) => [...new Set(entries)]),
  );

/** Some of the known names, or `none`. */
export const namesOf = <Name extends string>(names: readonly Name[]) =>
  kind<Name[]>(
    `names with commas between, of ${names.join(', ')}; or none`,
    commaList
      .transform((chosen) => chosen.map((name) => name.toLowerCase()))
      .transform((chosen) => (chosen.length === 1 && chosen[0] === 'none' ? [] : chosen))
      .pipe(z.array(z.enum(names)))
      .transform((chosen) => [...new Set(chosen)]),
  );

/** Origins as browsers send them. */
export const origins = listOf(
  z
    .url({ protocol: /^https?$/ })
    .refine((entry) => URL.parse(entry)?.href === `${URL.parse(entry)?.origin}/`)
    .transform((entry) => new URL(entry).origin),
  'origins such as https://app.example, several of them with commas between',
);

export const hosts = kind(
  'host names, IP addresses or networks such as 10.0.0.0/8, several of them with commas between',
  commaList.transform((entries, ctx) => {
    const names: string[] = [];
    const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
    for (const entry of entries) {
      if (ipaddr.isValidCIDR(entry)) networks.push(ipaddr.parseCIDR(entry));
      else if (ipaddr.isValid(entry)) {
        const address = ipaddr.process(entry);
        networks.push([address, address.kind() === 'ipv4' ? 32 : 128]);
      } else if (/^(?!\d+(\.\d+)*$)[a-z0-9._-]{1,253}$/i.test(entry)) names.push(entry.toLowerCase());
      else ctx.addIssue({ code: 'custom' });
    }
    return { names, networks };
  }),
);

/** Shortest API key, in characters: a shorter one can be guessed. */
const API_KEY_CHARS_MIN = 16;

const apiKeyEntry = new RegExp(`^([A-Za-z0-9_-]{1,64}):([^\\s,]{${API_KEY_CHARS_MIN},512})$`);

export const apiKeys = kind(
  'owner:key, several of them with commas between; an owner has 1 to 64 letters, digits, _ or -, ' +
    `a key has ${API_KEY_CHARS_MIN} to 512 characters, and no key is there twice`,
  commaList.transform((entries, ctx) => {
    const keys = entries.flatMap((entry) => {
      const [, owner, key] = apiKeyEntry.exec(entry) ?? [];
      return owner !== undefined && key !== undefined ? [{ owner, key }] : [];
    });
    if (new Set(keys.map(({ key }) => key)).size < entries.length) ctx.addIssue({ code: 'custom' });
    return keys;
  }),
  true,
);

/** Keys of one endpoint: two while one replaces the other. */
const KEYS_OF_ENDPOINT_MAX = 2;

const WEBHOOK_SECRET = 'whsec_[A-Za-z0-9+/]{32,88}={0,2}';
const webhookSecret = new RegExp(`^${WEBHOOK_SECRET}$`);
const endpointSecret = new RegExp(`^(.+?)=(${WEBHOOK_SECRET})$`);

/** The bytes of a secret in the form of Standard Webhooks. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64');

export const webhookSecrets = kind(
  'whsec_ and 24 to 64 random bytes in base64; two with a comma between while one takes the place of the other',
  commaList.pipe(z.array(z.string().regex(webhookSecret).transform(keyOf)).max(KEYS_OF_ENDPOINT_MAX)),
  true,
);

/**
 * A host, optionally with the beginning of a path, in the form that addresses are compared with: without a scheme or
 * trailing slash. Null: neither.
 */
const endpointOf = (written: string): string | null => {
  const url = URL.parse(/^https?:\/\//i.test(written) ? written : `https://${written}`);
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return null;
  return `${url.host}${url.pathname}`.replace(/\/$/, '');
};

/** Keys by the endpoint that they sign for. */
export const endpointSecrets = kind(
  'endpoint=secret, several of them with commas between; an endpoint is a host or a host with a path, such as ' +
    'billing.example.com/hooks, and is there twice at most; a secret is whsec_ and 24 to 64 random bytes in base64',
  commaList.transform((entries, ctx) => {
    const keys = new Map<string, Buffer[]>();
    for (const entry of entries) {
      const [, written = '', secret = ''] = endpointSecret.exec(entry) ?? [];
      const endpoint = endpointOf(written);
      const of = endpoint === null ? [] : [...(keys.get(endpoint) ?? []), keyOf(secret)];
      if (endpoint === null || secret === '' || of.length > KEYS_OF_ENDPOINT_MAX) ctx.addIssue({ code: 'custom' });
      else keys.set(endpoint, of);
    }
    return keys;
  }),
  true,
);

/** Approval by tool, as JSON. */
export const approvalRules = kind(
  'a JSON list such as [{"tools": "mail_*", "approval": true, "approvers": ["role:finance"], "self": false}]; "approval" is true, false or "after_untrusted"',
  ApprovalRules,
);

/** The kinds of files that models can read, by model: one word for every model, or several with a model's name before each. */
export const filesOfModels = kind(
  'image, pdf, image+pdf or none, for every model or after the name of one: anthropic:claude-haiku-4-5=image,ollama:qwen*=none',
  commaList.transform((entries, ctx) => {
    const kinds = new Map<string, FileKinds>();
    for (const entry of entries) {
      const [, name = '*', said = ''] = /^(?:(\S+)=)?(image|pdf|image\+pdf|none)$/.exec(entry) ?? [];
      if (said === '') ctx.addIssue('is malformed');
      kinds.set(name, said === 'none' ? [] : (said.split('+') as ('image' | 'pdf')[]));
    }
    return kinds;
  }),
);
