import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CallUsage, MODEL_NAME_CHARS_MAX } from '../../../contracts/usage.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import type { Model, SentCall } from '../../models/port.ts';
import { createClockJumps } from '../clock-jumps.ts';
import { type CallBody, type CallFacts, type WrittenBody, writeBody } from './call-body.ts';
import type { CallStore, KeptCall } from './call-store.ts';
import { type CallToKeep, reportedCalls } from './reported-calls.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long calls are gathered before they are written, in milliseconds. */
const GATHER_MS = 250;

/** How often calls that have become too old are removed, in milliseconds. */
const FORGET_EVERY_MS = 60 * 60 * 1_000;

/** Calls removed at a time: what other work waits for. */
const FORGOTTEN_AT_ONCE = 100;

/** Longest that calls are compressed in one turn of the event loop, in milliseconds, for the same reason. */
const SLICE_MS = 5;

/** Calls, and bytes of them, written at a time, again for it. */
const CALLS_AT_ONCE = 500;
const BYTES_AT_ONCE = 512 * 1024;

/** Characters of prompts and answers that wait in memory or are being written, of two bytes each at most; beyond it calls are not kept. */
const WAITING_CHARS_MAX = 32 * 1024 * 1024;

/** Shared texts that were written before, as far as they are remembered: a few for each set of tools. */
const TEXTS_KNOWN = 1_000;

/** Longest answer that is kept whole, in characters: none longer is ever read. */
const ANSWER_CHARS_MAX = 1_000_000;

interface Parts {
  store: CallStore;
  /** Days that calls are kept; 0: none are. */
  days: number;
  /** Most calls of an owner that are kept. */
  keptMax: number;
  /** Hides what no store may have. */
  mask(text: string): string;
  now(): number;
  log: Logger;
}

/** Keeps the calls of models for some days. */
export interface KeptCalls {
  /** The same model, whose calls are kept. */
  model(model: Model): Model;
  /** Writes what is still to be written, and stops. */
  stop(): Promise<void>;
}

const messageChars = (sent: SentCall | null): number =>
  sent === null ? 0 : sent.prompt.messages.reduce((sum, { content }) => sum + content.length, 0);

const lengthOf = (sent: SentCall | null): number => messageChars(sent) + (sent?.prompt.system.length ?? 0);

/** What a call takes that waits. Its system prompt is not counted: calls share a few. */
const charsOf = ({ sent, reply }: Pick<CallToKeep, 'sent' | 'reply'>): number =>
  messageChars(sent) + (reply?.text.length ?? 0);

/**
 * Makes what keeps model calls. They are gathered, compressed and written behind the work of the sessions, which never waits for it: a call
 * that can not be kept is only logged. The last quarter of a second of them may be lost in a crash.
 */
export const createKeptCalls = ({ store, days, keptMax, mask, now, log }: Parts): KeptCalls => {
  let waiting: CallToKeep[] = [];
  let waitingChars = 0;
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const known = new Set<string>();
  const isWorthALine = onceAMinute();

  /** The bytes that writing a call takes, as far as is known: a shared text that was written before takes none. */
  const bytesOf = ({ body, system }: WrittenBody): number => {
    if (system === null || known.has(system.hash)) return body.length;
    if (known.size >= TEXTS_KNOWN) known.clear();
    known.add(system.hash);
    return body.length + system.text.length;
  };

  const bodyOf = ({ sent, reply, failure }: CallToKeep): CallBody => ({
    prompt:
      sent === null
        ? null
        : {
            system: mask(sent.prompt.system),
            messages: sent.prompt.messages.map(({ role, content }) => ({ role, content: mask(content) })),
          },
    answer: reply === null ? null : mask(cutText(reply.text, ANSWER_CHARS_MAX)),
    failure: failure === null ? null : mask(failure),
  });

  const rowOf = (call: CallToKeep, written: WrittenBody): KeptCall => {
    const { task_id, effect_id, at, contract, sent, reply, failure } = call;
    const facts: CallFacts = {
      contract,
      model: cutText(call.model, MODEL_NAME_CHARS_MAX),
      duration_ms: Math.round(call.duration_ms),
      outcome: reply !== null ? 'answered' : failure !== null ? 'failed' : 'aborted',
      fault: reply?.fault ?? null,
      // What a model in code gives may be anything, and is read again by the contract.
      usage: CallUsage.safeParse(reply?.usage).data ?? null,
      prompt_chars: lengthOf(sent),
      answer_chars: reply?.text.length ?? 0,
      structured_output: sent?.structured_output ?? false,
    };
    return { task_id, effect_id, at, facts: JSON.stringify(facts), ...written };
  };

  const add = async (rows: readonly KeptCall[]): Promise<void> => {
    if (rows.length > 0 && !(await store.add(rows, keptMax)) && isWorthALine())
      log.warn({ calls: rows.length }, 'model calls are not kept: the database has no room to spare for them');
  };

  /** Writes calls, the last one first, and takes each out of the list. */
  const writeAll = async (calls: CallToKeep[]): Promise<void> => {
    let rows: KeptCall[] = [];
    let bytes = 0;
    let sliceEnd = performance.now() + SLICE_MS;
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) {
      waitingChars -= charsOf(call);
      if (performance.now() > sliceEnd) {
        await nextTurn();
        sliceEnd = performance.now() + SLICE_MS;
      }
      const writing = writeBody(bodyOf(call));
      const written = writing instanceof Promise ? await writing : writing;
      rows.push(rowOf(call, written));
      bytes += bytesOf(written);
      if (rows.length < CALLS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
      await nextTurn();
      await add(rows);
      rows = [];
      bytes = 0;
    }
    await add(rows);
  };

  const write = async (): Promise<void> => {
    const calls = waiting.reverse();
    waiting = [];
    try {
      await writeAll(calls);
    } finally {
      for (const call of calls) waitingChars -= charsOf(call);
    }
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0)
      await write().catch((error: unknown) => {
        if (isWorthALine()) log.warn({ err: error }, 'model calls could not be kept');
      });
    writing = null;
  };

  const keep = (call: Omit<CallToKeep, 'at'>): void => {
    if (isStopped) return;
    const chars = charsOf(call);
    if (waitingChars + chars > WAITING_CHARS_MAX) return;
    waitingChars += chars;
    waiting.push({ ...call, at: Math.round(now() - call.duration_ms) });
    if (writing === null)
      timer ??= setTimeout(() => {
        writing = flush();
      }, GATHER_MS).unref();
  };

  const hasJumped = createClockJumps();
  const forget = async (): Promise<void> => {
    const at = now();
    if (hasJumped(at)) return;
    try {
      while (!isStopped && (await store.forget(at - days * DAY_MS, at, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE)
        await nextTurn();
    } catch (error) {
      log.warn({ err: error }, 'old model calls could not be removed; trying again in an hour');
    }
  };
  let forgetting = forget();
  const clock = setInterval(() => {
    forgetting = forgetting.then(forget);
  }, FORGET_EVERY_MS).unref();

  return {
    model: (model) => (days === 0 ? model : reportedCalls(model, keep)),
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(clock);
      await forgetting;
      await writing;
      await flush();
    },
  };
};
