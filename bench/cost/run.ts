// npm run bench:cost [agent …]: calls, tokens, money and time of agents on the same gold dialogues.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../crashtest/random.ts';
import { spread, startTools } from '../gold/benchmark.ts';
import type { Dialogue } from '../gold/play.ts';
import { QUIET } from '../quiet.ts';
import type { Open } from './agents/agent.ts';
import { type Cost, type Heads, money, moneyMarked, moneyWarm, seconds, sum } from './count.ts';
import { startModelServer } from './model-server.ts';
import {
  byContracts,
  chaining,
  chainingWithoutNeedlessPlans,
  oneByOne,
  plain,
  type Script,
  todos,
  turnsOf,
} from './script.ts';
import { tellStories } from './stories.ts';

Object.assign(process.env, QUIET);

const DIALOGUES = Number(process.env['COST_DIALOGUES'] ?? 200);

/** One line of the table. */
interface Entry {
  name: string;
  script: Script;
  open(): Promise<Open>;
  /** Which dialogues have one item a call; the others have one item a turn. */
  itemACall?(index: number): boolean;
}

const tripact = async (settings: Record<string, string> = {}): Promise<Open> =>
  (await import('./agents/tripact.ts')).openWith(settings);

/** A peer, whose packages are installed beside it. */
const peer = async (file: string, opens = 'open'): Promise<Open> =>
  ((await import(`./peers/${file}.ts`)) as Record<string, Open>)[opens]!;

const every = (): boolean => true;
const none = (): boolean => false;

const ENTRIES: Record<string, Entry> = {
  plain: { name: 'plain loop', script: plain, open: async () => (await import('./agents/plain.ts')).open },
  tripact: { name: 'Tripact', script: chaining, open: tripact },
  'tripact-turn': { name: '… an item a turn', script: chaining, open: tripact, itemACall: none },
  'tripact-call': { name: '… an item a call', script: chaining, open: tripact, itemACall: every },
  'tripact-lean': {
    name: '… a plan only where it has several items',
    script: chainingWithoutNeedlessPlans,
    open: tripact,
  },
  'tripact-one': { name: '… `chain: false`', script: oneByOne, open: () => tripact({ TRIPACT_CHAIN: '0' }) },
  'tripact-text': { name: '… text voice', script: byContracts, open: () => tripact({ TRIPACT_MODEL_VOICE: 'text' }) },
  langgraph: { name: 'LangGraph.js', script: plain, open: () => peer('langgraph') },
  'langgraph-todos': { name: '… with its list of todos', script: todos, open: () => peer('langgraph', 'openPlanning') },
  mastra: { name: 'Mastra', script: plain, open: () => peer('mastra') },
  'openai-agents': { name: 'OpenAI Agents', script: plain, open: () => peer('openai-agents') },
  flue: { name: 'Flue', script: plain, open: () => peer('flue') },
  workflow: { name: 'Vercel workflow, DurableAgent', script: plain, open: () => peer('workflow') },
};

const words = process.argv.slice(2);
const unknown = words.filter((word) => !(word in ENTRIES));
if (unknown.length > 0) throw new Error(`no agent ${unknown.join(', ')}: there are ${Object.keys(ENTRIES).join(', ')}`);
const chosenEntries = Object.entries(ENTRIES).filter(
  ([key]) => words.length === 0 || key === 'plain' || words.includes(key),
);

const server = await startTools();
const dialogues = spread(server.dialogues, DIALOGUES);
const base = mkdtempSync(join(process.env['BENCH_DIR'] ?? import.meta.dirname, '.stores-'));

/** Dialogues whose tool calls did not end as the gold calls do. */
const ended: string[] = [];

/** Plays a dialogue with an agent, and checks the final state of its tools. */
const playDialogue = async (
  key: string,
  index: number,
  dialogue: Dialogue,
  open: Open,
  heads: Heads,
): Promise<Cost> => {
  const { script, itemACall = (i: number) => i % 2 === 1 } = ENTRIES[key]!;
  const run = `${key}-${dialogue.id}`;
  await fetch(`${server.address}/start`, {
    method: 'POST',
    body: JSON.stringify({ run, dialogue: dialogue.id, kill: null }),
  });
  const model = await startModelServer(script, heads);
  const dir = join(base, run);
  const agent = await open({ dir, tools: `${server.address}/mcp/${run}/0`, model: model.url });
  try {
    for (const [number, turn] of turnsOf(dialogue, itemACall(index)).entries()) {
      model.begin(turn);
      await agent.turn(dialogue.turns[number]!.user);
    }
  } finally {
    await agent.close();
    await model.close();
    rmSync(dir, { recursive: true, force: true });
  }
  const report = (await (await fetch(`${server.address}/report/${run}`)).json()) as Record<string, unknown>;
  if (report['wrong'] !== false || report['twice'] !== 0 || report['left_out'] !== 0)
    ended.push(`${run} ended otherwise: ${JSON.stringify(report)}`);
  return sum(model.costs);
};

const costs = new Map<string, Cost[]>();
const startedAt = performance.now();
try {
  for (const [key, entry] of chosenEntries) {
    const open = await entry.open();
    const heads: Heads = new Set();
    const each: Cost[] = [];
    for (const [index, dialogue] of dialogues.entries())
      each.push(await playDialogue(key, index, dialogue, open, heads));
    costs.set(key, each);
    console.error(`${key}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
  server.close();
}

const SAMPLES = 1_000;

/** A ratio to the plain loop, with the middle 95 % over resampled dialogues. */
const ratio = (key: string, of: (cost: Cost) => number): string => {
  const ours = costs.get(key)!.map(of);
  const theirs = costs.get('plain')!.map(of);
  const total = (values: number[], picks: number[]): number => picks.reduce((all, i) => all + values[i]!, 0);
  const all = ours.map((_, i) => i);
  const random = createRandom(1);
  const sampled = Array.from({ length: SAMPLES }, () => {
    const picks = all.map(() => random.below(all.length));
    return total(ours, picks) / total(theirs, picks);
  }).toSorted((one, other) => one - other);
  const at = (part: number): string => sampled[Math.round(part * (SAMPLES - 1))]!.toFixed(2);
  const value = (total(ours, all) / total(theirs, all)).toFixed(2);
  return key === 'plain' ? value : `${value} (${at(0.025)}–${at(0.975)})`;
};

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

console.log(`| ${dialogues.length} dialogues | calls | tokens in | tokens out | money | … warm | … by marks | time | cached | … by marks | prefix from a turn's 2nd call on |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|`);
for (const [key, { name }] of chosenEntries) {
  const all = sum(costs.get(key)!);
  // A request without marks leaves caching to the provider.
  const isMarked = all.markedWritten > 0;
  const ratios = [
    (cost: Cost) => cost.calls,
    (cost: Cost) => cost.input,
    (cost: Cost) => cost.output,
    money,
    moneyWarm,
    moneyMarked,
    seconds,
  ];
  const shares = [
    percent(all.cached, all.input),
    isMarked ? percent(all.markedRead, all.input) : '–',
    percent(all.laterCached, all.laterInput),
  ];
  const shown = ratios.map((of) => (of === moneyMarked && !isMarked ? '–' : ratio(key, of)));
  console.log(`| ${[name, ...shown, ...shares].join(' | ')} |`);
}
for (const line of ended) console.log(`- ${line}`);
const loop = sum(costs.get('plain')!);
console.log(
  `\nThe plain loop: ${loop.calls} calls, ${Math.round(loop.input / 1_000)} k tokens in, ${Math.round(loop.output / 1_000)} k out, ` +
    `${money(loop).toFixed(2)} USD, ${seconds(loop).toFixed(0)} s by the formula.`,
);

console.log('\n| Tripact, all defaults | ended | calls | steps |\n|---|---|---:|---:|');
for (const { name, status, calls, steps } of await tellStories())
  console.log(`| ${[name, status, calls, steps].join(' | ')} |`);
