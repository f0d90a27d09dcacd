import { AsyncLocalStorage } from 'node:async_hooks';
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import type { LineLogger } from './line-logger.ts';
import { printable, printableJson } from './printable.ts';

/** A position in a distributed trace, by the names that log lines use. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

const current = new AsyncLocalStorage<TraceIds>();

/** Runs work, and everything that it starts, as part of a span. */
export const runInTrace = <Result>(ids: TraceIds, run: () => Result): Result => current.run(ids, run);

/** Replaces a secret in a text. */
export const CENSORED = '[redacted]';

/** Shortest secret that is masked, in characters: a shorter one would occur in half of all words. */
const SECRET_CHARS_MIN = 8;

/** Secrets verbatim and as they appear inside a JSON string, longest first. */
const formsOf = (secrets: readonly string[]): string[] => {
  const forms = secrets
    .filter(({ length }) => length >= SECRET_CHARS_MIN)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
};

/** The length of a text's end that may be the beginning of a secret. */
export const secretAtEnd = (secrets: readonly string[]): ((text: string) => number) => {
  const forms = formsOf(secrets);
  const begins = new Set(forms.map(([first]) => first));
  const longest = forms[0]?.length ?? 0;
  return (text) => {
    for (let i = Math.max(0, text.length - longest + 1); i < text.length; i += 1)
      if (begins.has(text[i]) && forms.some((form) => form.startsWith(text.slice(i)))) return text.length - i;
    return 0;
  };
};

/**
 * Creates the function that replaces secrets in a text, verbatim and as they appear inside a JSON string, longest
 * first.
 */
export const maskSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const longestFirst = formsOf(secrets);
  return (text) => longestFirst.reduce((kept, secret) => kept.replaceAll(secret, CENSORED), text);
};

/** Longest chain of causes that a logged error keeps: deeper ones add nothing. */
const CAUSES_MAX = 5;

/** Longest message or stack of a logged error, in characters; longer ones are cut, as they may contain outside text. */
const ERROR_CHARS_MAX = 16_000;

/**
 * Keys whose values are never written, at the top of a line, among headers and in a configuration. A wildcard for any
 * object would take as long as the line.
 */
const SECRET_KEYS = ['authorization', 'x-api-key', 'cookie', 'set-cookie', 'apiKey', 'apiKeys', 'password', 'secret'];
const REDACTED = SECRET_KEYS.flatMap((key) => {
  const member = /\W/.test(key) ? `["${key}"]` : `.${key}`;
  const alone = /\W/.test(key) ? member : key;
  return [alone, ...['headers', 'req.headers', 'config'].map((place) => `${place}${member}`)];
});

/** A line of JSON whose texts cannot control a terminal, as they are shown verbatim. */
const withPrintableTexts = (line: string): string =>
  `${JSON.stringify(JSON.parse(line), (_, value: unknown) => (typeof value === 'string' ? printable(value) : value))}\n`;

/**
 * An error's message and stack; never its other fields, as SDK errors carry headers and bodies. Masks secrets before it
 * cuts a text.
 */
const errorSerializer = (mask: (text: string) => string) => {
  const cut = (text: string): string => mask(text).slice(0, ERROR_CHARS_MAX);
  const read = (error: unknown, depth = 1): unknown => {
    if (!(error instanceof Error)) return cut(inspect(error, { depth: 0 }));
    const { name, message, stack = '', cause } = error;
    const { code, status } = error as { code?: unknown; status?: unknown };
    const facts = { type: name, message: cut(message), ...(code !== undefined && { code: cut(String(code)) }), status };
    return { ...facts, stack: cut(stack), cause: depth < CAUSES_MAX && cause ? read(cause, depth + 1) : undefined };
  };
  return (error: unknown) => read(error);
};

/** The logger of everything that writes log lines. */
export type Log = Logger;

export interface LogOptions {
  level: Level | 'silent';
  /** Lines for people in place of JSON; default: whether standard error is a terminal. */
  pretty?: boolean;
  /** Values that never reach a line, wherever they occur: the configured keys. */
  secrets?: readonly string[];
  /** Default: standard error, so that a command's output can be piped; for lines for people, a Node stream. */
  destination?: DestinationStream;
}

const isLevel = (level: unknown): level is Level => typeof level === 'string' && level in pino.levels.values;

/**
 * Options of a log whose finished lines go to another logger, at their level, so that no secret reaches it. That logger
 * adds its own time, process and host.
 */
export const linesTo = (logger: LineLogger): Omit<LogOptions, 'level'> & { level?: LogOptions['level'] } => ({
  ...((isLevel(logger.level) || logger.level === 'silent') && { level: logger.level }),
  pretty: false,
  destination: {
    write: (line) => {
      const { level, time: _time, pid: _pid, hostname: _hostname, msg, ...fields } = JSON.parse(line);
      const label = pino.levels.labels[level];
      logger[isLevel(label) ? label : 'info'](fields, msg);
    },
  },
});

/** Lines for people; loaded only for a terminal, since a start should not wait for it. */
const pretty = (destination: DestinationStream): DestinationStream => {
  const make = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return make({ destination, colorize: process.stderr.hasColors?.() ?? false });
};

/** Standard error. If its disk is full or its reader has gone, lines are lost and the service continues. */
const standardError = (): Writable =>
  new Writable({
    write(line, _encoding, done) {
      try {
        writeSync(2, line);
      } catch {
        // There is nowhere left to report this.
      }
      done();
    },
  });

/** The service's log: pino, with secrets removed from every line. */
export const createLog = (options: LogOptions): Log => {
  const { level, secrets = [], destination = standardError() } = options;
  const isPretty = options.pretty ?? process.stderr.isTTY;
  const mask = maskSecrets(secrets);
  const err = errorSerializer(mask);
  const shown = isPretty ? (line: string) => mask(withPrintableTexts(line)) : printableJson;
  return pino(
    {
      level,
      // Lines during a model or tool call have the ids of that call's span, if it is traced.
      mixin: () => ({ ...current.getStore() }),
      redact: { paths: REDACTED, censor: CENSORED },
      serializers: { err, error: err },
      hooks: { streamWrite: (line) => shown(mask(line)) },
    },
    isPretty ? pretty(destination) : destination,
  );
};
