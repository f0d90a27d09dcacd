import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { CENSORED, maskedHead, maskSecrets } from './mask-secrets.ts';
import { printable, printableJson } from './printable.ts';
import { currentTraceIds } from './trace-ids.ts';

/** Longest chain of causes that a logged error keeps: deeper ones tell no more. */
const CAUSES_MAX = 5;

/** Longest message or stack of a logged error that is not cut, in characters: what comes from outside may be in it. */
const ERROR_CHARS_MAX = 26_000;

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

/** What an error says of itself; whatever was thrown may have these fields, with any values. */
const FACTS = ['message', 'code', 'status', 'stack'] as const;

/** An error as it is logged: what happened and where. Never its other fields, for SDK errors carry headers and bodies. */
const readError = (error: unknown, cut: (text: string) => string, depth = 1): unknown => {
  const shown = (value: unknown) => (value === undefined || typeof value === 'number' ? value : cut(String(value)));
  if (typeof error !== 'object' || error === null) return shown(error);
  const { name: type, cause } = error as Partial<Error>;
  const facts = FACTS.map((name) => [name, shown((error as Record<string, unknown>)[name])]);
  const before = depth < CAUSES_MAX && cause instanceof Error ? readError(cause, cut, depth + 1) : undefined;
  return { type: shown(type), ...Object.fromEntries(facts), cause: before };
};

/** Makes the same of what throws again when it is read, as a tool may throw it: a line of the log is no reason to end. */
const errorSerializer =
  (mask: (text: string) => string) =>
  (error: unknown): unknown => {
    try {
      return readError(error, (text) => maskedHead(text, ERROR_CHARS_MAX, mask));
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

/** The service's log: pino, with secrets cut out of every line. */
export const createLog = (options: LogOptions): Log => {
  const { level, secrets = [], destination = standardError() } = options;
  const isPretty = options.pretty ?? process.stderr.isTTY;
  const mask = maskSecrets(secrets);
  const err = errorSerializer(mask);
  const shown = isPretty ? (line: string) => mask(withPrintableTexts(line)) : printableJson;
  return pino(
    {
      level,
      // Lines of a model or a tool that is being called have the ids of that call's span, where it is traced.
      mixin: () => ({ ...currentTraceIds() }),
      serializers: { err, error: err },
      hooks: {
        streamWrite: (line) => shown(mask(withoutSecretKeys(line))),
      },
    },
    isPretty ? pretty(destination) : destination,
  );
};
