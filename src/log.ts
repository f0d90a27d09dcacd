import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { printable, printableJson } from './printable.ts';
import { currentTraceIds } from './trace-ids.ts';

/** Longest chain of causes that a logged error keeps: deeper ones tell no more. */
const CAUSES_MAX = 5;

/** Longest message or stack of a logged error, in characters: what comes from outside may be in it. */
const ERROR_CHARS_MAX = 16_000;

/** Keys whose values are never written, at any depth of a line. */
const SECRET_KEYS = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'apiKey',
  'apiKeys',
  'api_key',
  'password',
  'secret',
  'ANTHROPIC_API_KEY',
  'TRIPACT_API_KEY',
  'TRIPACT_API_KEYS',
]);

const CENSORED = '[redacted]';

/** Such a key as it occurs in a line; no other line needs to be taken apart, which costs ten times as much as writing it. */
const secretKeyInLine = new RegExp(`"(?:${[...SECRET_KEYS].join('|')})":`);

/** A line of JSON without the values of secret keys. */
const withoutSecretKeys = (line: string): string =>
  secretKeyInLine.test(line)
    ? `${JSON.stringify(JSON.parse(line), (key, value: unknown) => (SECRET_KEYS.has(key) ? CENSORED : value))}\n`
    : line;

/** A line of JSON whose texts have nothing that could steer a terminal, for they are shown as they are. */
const withPrintableTexts = (line: string): string =>
  `${JSON.stringify(JSON.parse(line), (_, value: unknown) => (typeof value === 'string' ? printable(value) : value))}\n`;

/** An error as it is logged: what happened and where. Never its other fields, for SDK errors carry headers and bodies. */
const readError = (error: unknown, depth = 1): unknown => {
  if (!(error instanceof Error)) return error;
  const { code, status } = error as Error & { code?: unknown; status?: unknown };
  const cause = depth < CAUSES_MAX && error.cause instanceof Error ? readError(error.cause, depth + 1) : undefined;
  const [message, stack] = [error.message, error.stack].map((text) => text?.slice(0, ERROR_CHARS_MAX));
  return { type: error.name, message, code, status, stack, cause };
};

/** The same of what throws again when it is read, as a tool may throw it: a line of the log is no reason to end. */
const serializeError = (error: unknown): unknown => {
  try {
    return readError(error);
  } catch {
    return 'unreadable error';
  }
};

/** Where everything that writes log lines writes them. */
export type Log = Logger;

export interface LogOptions {
  level: Level | 'silent';
  /** Lines for people in place of JSON; default: whether standard error is a terminal. */
  pretty?: boolean;
  /** Values that never reach a line, wherever they turn up: the configured keys. */
  secrets?: readonly string[];
  /** Default standard error, so that what a command prints can be piped on. */
  destination?: Writable;
}

/** Lines for people; loaded only for a terminal, since a start should not wait for it. */
const pretty = (destination: DestinationStream): DestinationStream => {
  const make = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return make({ destination, colorize: process.stderr.hasColors?.() ?? false });
};

/** Most that waits for whoever reads the log, in bytes: where nobody does, newer lines are dropped. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Standard error, written in the background. Where that fails, because its disk is full or its reader has gone, lines are lost and the
 * service goes on. What waits at the exit is written once: sonic-boom tries again for ever, with the process, its port and its data folder.
 */
const standardError = () => {
  const stream = pino.destination({ dest: 2, minLength: 0, maxLength: WAITING_BYTES_MAX });
  stream.on('error', () => {});
  stream.flushSync = () => {
    const { _bufs: waiting = [] } = stream as unknown as { _bufs?: string[] };
    try {
      for (const lines of waiting.splice(0)) writeSync(2, lines);
    } catch {
      // Nobody can be told.
    }
  };
  return stream;
};

/** Shortest secret that is masked, in characters: a shorter one would be found in half of all words. */
const SECRET_CHARS_MIN = 6;

/** Makes the function that masks secrets in a text, as they are and as they stand inside a JSON string, the longest first. */
export const maskSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const long = secrets.filter(({ length }) => length >= SECRET_CHARS_MIN);
  // Each once: every text is searched for all of them.
  const forms = new Set(long.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const written = [...forms].sort((a, b) => b.length - a.length);
  return (text) => written.reduce((kept, secret) => kept.replaceAll(secret, CENSORED), text);
};

/** The service's log: pino, with secrets cut out of every line. */
export const createLog = (options: LogOptions): Log => {
  const { level, secrets = [], destination = standardError() } = options;
  const isPretty = options.pretty ?? process.stderr.isTTY;
  const mask = maskSecrets(secrets);
  const shown = isPretty ? (line: string) => mask(withPrintableTexts(line)) : printableJson;
  return pino(
    {
      level,
      // Lines of a model or a tool that is being called have the ids of that call's span, where it is traced.
      mixin: () => ({ ...currentTraceIds() }),
      serializers: { err: serializeError, error: serializeError },
      hooks: {
        streamWrite: (line) => shown(mask(withoutSecretKeys(line))),
      },
    },
    isPretty ? pretty(destination) : destination,
  );
};
