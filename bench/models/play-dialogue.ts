import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TraceEntry } from '../../contracts/trace.ts';
import { addCosts, type Cost } from '../../contracts/usage.ts';
import { createTripact, defineConfig, type TripactConfig } from '../../src/tripact.ts';

/** A dialogue for a real model. */
export interface Played {
  /** The user's words, turn by turn. */
  turns: readonly string[];
  /** Its tools, as an MCP server. */
  tools: string;
  /** A folder of its own. */
  dir: string;
  /** The model, as in `TRIPACT_MODEL`; `env` has its key and its server's address. */
  model: string;
  env: Readonly<Record<string, string | undefined>>;
  prices?: NonNullable<TripactConfig['prices']>;
}

/** The outcome of a dialogue. */
export interface Outcome {
  /** Null: every turn was answered. Otherwise how the first unanswered one ended. */
  failure: string | null;
  /** Answers of the model, and among them those by calls, with several calls, and those refused. */
  calls: number;
  native: number;
  chained: number;
  missed: number;
  input: number;
  cacheRead: number;
  output: number;
  /** Null unless every call has a price. */
  cost: Cost | null;
}

/** How often a question of the model is answered in one turn. */
const ANSWERS_MAX = 3;

/** The benchmark's user has said everything that they know. */
const ANSWER = 'You have all that I know: do what seems right to you.';

const sumOf = (costs: readonly (Cost | null)[]): Cost | null =>
  costs.reduce((all, each) => (all === null || each === null ? null : addCosts(all, each)));

/** Counts of a session's model answers, from its events. */
export const countAnswers = (entries: readonly TraceEntry[]): Omit<Outcome, 'failure'> => {
  const count = { calls: 0, native: 0, chained: 0, missed: 0, input: 0, cacheRead: 0, output: 0 };
  const costs: (Cost | null)[] = [];
  for (const { event } of entries) {
    if (event.type.endsWith('.rejected')) count.missed += 1;
    if (!('usage' in event) || event.usage === undefined) continue;
    const { input_tokens, output_tokens, cache_written_tokens = 0, cache_read_tokens = 0, cost } = event.usage;
    const asked = ('message' in event ? event.message?.calls.length : undefined) ?? 0;
    count.calls += 1;
    count.native += Number(asked > 0);
    count.chained += Number(asked > 1);
    count.input += input_tokens + cache_written_tokens + cache_read_tokens;
    count.cacheRead += cache_read_tokens;
    count.output += output_tokens;
    costs.push(cost ?? null);
  }
  return { ...count, cost: costs.length === 0 ? null : sumOf(costs) };
};

/** Plays a dialogue on Tripact with its defaults. Never throws for anything that the model does. */
export const playDialogue = async ({ turns, tools, dir, model, env, prices }: Played): Promise<Outcome> => {
  const tripact = await createTripact({
    env: { ...env, TRIPACT_DATA_DIR: dir, TRIPACT_LOG_LEVEL: 'error', TRIPACT_MODEL: model },
    config: defineConfig({ mcpServers: { bfcl: { url: tools } }, ...(prices !== undefined && { prices }) }),
  });
  const server = createServer(tripact.handler);
  try {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    let failure: string | null = null;
    for (const input of turns) {
      let turn = await tripact.turn({ session: 'dialogue', input });
      for (let i = 0; turn.status === 'asking' && i < ANSWERS_MAX; i++)
        turn = await tripact.turn({ session: 'dialogue', input: ANSWER });
      if (turn.status === 'answered') continue;
      failure = `${turn.status}: ${turn.output?.split('\n')[0]}`;
      break;
    }
    const { port } = server.address() as AddressInfo;
    const trace = await (await fetch(`http://127.0.0.1:${port}/v1/sessions/dialogue/trace`)).text();
    const lines = trace.split('\n').filter((line) => line !== '');
    return { failure, ...countAnswers(lines.map((line) => TraceEntry.parse(JSON.parse(line)))) };
  } finally {
    server.close();
    server.closeAllConnections();
    await tripact.close();
  }
};
