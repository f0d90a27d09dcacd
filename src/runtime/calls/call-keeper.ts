import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SentPrompt } from '../../../contracts/model-call.ts';
import { cutText } from '../../../contracts/text.ts';
import { CallUsage, MODEL_NAME_CHARS_MAX } from '../../../contracts/usage.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import type { CallMade, Model, ModelReply, RecordedCall } from '../../models/port.ts';
import { type CallBody, type CallFacts, type KeptCall, writeBody } from '../../store/call-body.ts';
import type { Store } from '../../store/port.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long calls are collected before they are written, in milliseconds. */
const GATHER_MS = 250;

const FORGET_EVERY_MS = 60 * 60 * 1_000;

/** Calls removed, and calls written, in one transaction, for which other work has to wait. */
const FORGOTTEN_AT_ONCE = 100;
const WRITTEN_AT_ONCE = 50;

/** Most calls that wait in memory. Beyond it, further calls are dropped until these are written. */
const WAITING_MAX = 500;

/** Longest answer that is stored completely, in characters: no longer one is ever read. */
const ANSWER_CHARS_MAX = 100_000;

interface CallToKeep extends RecordedCall {
  /** When it was made, in epoch milliseconds. */
  readonly at: number;
}

interface Parts {
  store: Pick<Store['calls'], 'add' | 'forget'>;
  /** Days for which calls are stored; 0: existing ones are removed. */
  days: number;
  keptMax: number;
  /** False while another process removes the old calls of all owners; default true. */
  forgets?(): boolean;
  mask(text: string): string;
  now(): number;
  log: Logger;
}

export type CallKeeper = ReturnType<typeof createCallKeeper>;

const promptChars = (sent: RecordedCall['sent']): number => {
  if (sent === null) return 0;
  const { tools, system, messages } = sent.prompt;
  const texts = [tools === undefined ? '' : JSON.stringify(tools), system, ...messages.map(({ content }) => content)];
  return texts.reduce((sum, text) => sum + text.length, 0);
};

/** The calls of an answer as JSON text; empty: none. */
const callsText = ({ calls = [] }: ModelReply): string => (calls.length === 0 ? '' : JSON.stringify(calls));

const outcomeOf = ({ reply, failure }: CallToKeep): CallFacts['outcome'] => {
  if (reply !== null) return 'answered';
  return failure === null ? 'aborted' : 'failed';
};

const factsOf = (call: CallToKeep): CallFacts => {
  const { contract, model, duration_ms, sent, reply } = call;
  return {
    contract,
    model: cutText(model, MODEL_NAME_CHARS_MAX),
    duration_ms: Math.round(duration_ms),
    outcome: outcomeOf(call),
    fault: reply?.fault ?? null,
    // A model made in code may return anything, and the contract parses it again.
    usage: CallUsage.safeParse(reply?.usage).data ?? null,
    prompt_chars: promptChars(sent),
    answer_chars: reply === null ? 0 : reply.text.length + callsText(reply).length,
    structured_output: sent?.structured_output ?? false,
  };
};

/**
 * Stores model calls in the background; sessions never wait for it. A crash may lose those of the last quarter of a
 * second.
 */
export const createCallKeeper = ({ store, days, keptMax, forgets = () => true, mask, now, log }: Parts) => {
  let waiting: CallToKeep[] = [];
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const isWorthALine = onceAMinute();

  const maskedTools = (tools: NonNullable<SentPrompt['tools']>): SentPrompt['tools'] =>
    JSON.parse(mask(JSON.stringify(tools)));

  /** The text and the calls of an answer. Calls that are too long are cut like a text. */
  const saidOf = (reply: ModelReply): Pick<CallBody, 'answer' | 'calls'> => {
    const calls = callsText(reply);
    if (calls === '') return { answer: mask(cutText(reply.text, ANSWER_CHARS_MAX)) };
    if (reply.text.length + calls.length > ANSWER_CHARS_MAX)
      return { answer: mask(cutText(`${reply.text}\n${calls}`, ANSWER_CHARS_MAX)) };
    return { answer: mask(reply.text), calls: JSON.parse(mask(calls)) };
  };

  const bodyOf = ({ sent, reply, failure }: CallToKeep): CallBody => ({
    prompt: sent && {
      ...(sent.prompt.tools !== undefined && { tools: maskedTools(sent.prompt.tools) }),
      system: mask(sent.prompt.system),
      messages: sent.prompt.messages.map(({ role, content }) => ({ role, content: mask(content) })),
    },
    ...(reply === null ? { answer: null } : saidOf(reply)),
    failure: failure && mask(failure),
  });

  const rowOf = async (call: CallToKeep): Promise<KeptCall> => {
    const { task_id, effect_id, at } = call;
    return { task_id, effect_id, at, ...factsOf(call), ...(await writeBody(bodyOf(call))) };
  };

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const calls = waiting;
    waiting = [];
    try {
      for (let from = 0; from < calls.length; from += WRITTEN_AT_ONCE) {
        const rows = await Promise.all(calls.slice(from, from + WRITTEN_AT_ONCE).map(rowOf));
        await nextTurn();
        if (!(await store.add(rows, keptMax)) && isWorthALine())
          log.warn({ calls: rows.length }, 'model calls are not stored: the database has no room to spare for them');
      }
    } catch (error) {
      if (isWorthALine()) log.warn({ err: error }, 'model calls could not be stored');
    }
  };

  const keep = (call: RecordedCall): void => {
    if (isStopped || waiting.length >= WAITING_MAX) return;
    waiting.push({ ...call, at: Math.round(now() - call.duration_ms) });
    timer ??= setTimeout(() => {
      writing = writing.then(write);
    }, GATHER_MS).unref();
  };

  const forget = async (): Promise<void> => {
    if (!forgets()) return;
    try {
      while (!isStopped && (await store.forget(now() - days * DAY_MS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE)
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
    keep,
    stop: async (): Promise<void> => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(clock);
      await forgetting;
      await writing;
      await write();
    },
  };
};

/**
 * The same model, passing each finished call to `record`. For a model that reports none, the answer counts as one call.
 */
export const recording = (model: Model, record: (call: RecordedCall) => void): Model => ({
  ...model,
  answer: async (request, signal) => {
    const { effect_id, contract, task } = request;
    const of = { task_id: task.task_id, effect_id, contract };
    let isReported = false;
    const onCall = (call: CallMade): void => {
      isReported = true;
      record({ ...of, ...call });
      request.onCall?.(call);
    };
    const began = performance.now();
    const unreported = (name: string, reply: ModelReply | null, failure: string | null): void => {
      const duration_ms = performance.now() - began;
      if (!isReported) onCall({ model: name, sent: null, duration_ms, reply, failure });
    };
    try {
      const reply = await model.answer({ ...request, onCall }, signal);
      unreported(reply.model ?? model.name, reply, null);
      return reply;
    } catch (error) {
      unreported(model.name, null, signal.aborted || !(error instanceof Error) ? null : error.message);
      throw error;
    }
  },
});
