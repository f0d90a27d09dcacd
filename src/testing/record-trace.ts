import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_OWNER } from '../../contracts/ids.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { type App, buildApp } from '../app/app.ts';
import { withFileSettings } from '../app/config-file.ts';
import type { TripactConfig } from '../app/define-config.ts';
import { withOneModel } from '../app/one-model.ts';
import { loadConfig } from '../config/config.ts';
import { createLog } from '../lib/log.ts';
import { type Model, ModelUnavailable } from '../models/port.ts';
import type { RecordedInput } from '../rerun/recorded-run.ts';

/** The agent to run, and its user's inputs. */
export interface RecordOptions {
  /** Answers in place of a real model; `scriptedModel` creates one. */
  model: Model;
  /**
   * The user's inputs, including answers, each sent when the previous one is answered. An object is a decision on a
   * tool that waits for approval, or an `input` with the turn's options.
   */
  inputs: readonly RecordedInput[];
  /** The export of the agent's `tripact.config.ts`: tools, executors, verifiers, settings. Tools run for real. */
  config?: TripactConfig;
  /** Default `test`. */
  session_id?: string;
  /** The user's time zone; default UTC. */
  timezone?: string;
  /** The clock for tools and prompts, in epoch milliseconds; default: the real one. */
  now?: () => number;
}

/** The recorded result. */
export interface Recording {
  /** The finished turns, one for each input. */
  turns: TurnView[];
  /** The texts for the user, one for each input. */
  replies: string[];
  /** The whole session's trace, which can be replayed. */
  trace: TraceEntry[];
}

const saidIn = (input: RecordedInput) => {
  if (typeof input === 'string') return { input };
  return 'type' in input ? { input: '', decision: input } : input;
};

/** Watches a model for its own errors: an exhausted script is the test's error, not an answer of a model. */
const watched = (model: Model): Model & { throwFault(): void } => {
  let fault: { error: unknown } | null = null;
  return {
    name: model.name,
    answer: async (request, signal) => {
      try {
        return await model.answer(request, signal);
      } catch (error) {
        if (!(error instanceof ModelUnavailable) && !signal.aborted) fault ??= { error };
        throw error;
      }
    },
    throwFault: () => {
      if (fault !== null) throw fault.error;
    },
  };
};

/** The service on its own folder. Ignores the process's environment; executors and agents answer by the given model too. */
const openApp = (dataDir: string, { config: file = {}, now }: RecordOptions, model: Model): Promise<App> => {
  const env = { TRIPACT_DATA_DIR: dataDir, TRIPACT_BRIDGE_DIR: join(dataDir, 'volumes'), TRIPACT_MODEL: 'offline' };
  return buildApp({
    config: loadConfig(withFileSettings(env, file)),
    file: withOneModel(file),
    log: createLog({ level: 'silent' }),
    version: 'test',
    model,
    ...(now !== undefined && { now }),
  });
};

/**
 * Runs an agent in the real service, on a temporary data folder that is removed afterwards, and returns its turns,
 * replies and trace. Does not listen. Throws what the model throws, except `ModelUnavailable`, which pauses the task.
 */
export const recordTrace = async (options: RecordOptions): Promise<Recording> => {
  const { inputs, session_id = 'test', timezone = 'UTC' } = options;
  const model = watched(options.model);
  const dataDir = await mkdtemp(join(tmpdir(), 'tripact-recording-'));
  try {
    const { engine, close } = await openApp(dataDir, options, model);
    try {
      const turns: TurnView[] = [];
      for (const input of inputs) {
        const said = saidIn(input);
        const { turn } = await engine.submit({ owner: LOCAL_OWNER, session_id, timezone, ...said });
        turns.push(await engine.wait(LOCAL_OWNER, turn.id, new AbortController().signal));
        model.throwFault();
      }
      const trace = turns.length === 0 ? [] : await Array.fromAsync(engine.sessionTrace(LOCAL_OWNER, session_id));
      return { turns, replies: turns.map(({ output }) => output ?? ''), trace };
    } finally {
      await close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
