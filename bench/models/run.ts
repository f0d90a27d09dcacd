// npm run bench:models -- <model> …: how well real models use Tripact's calls, on gold dialogues with your own keys.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Prices } from '../../contracts/usage.ts';
import { spread, startTools } from '../gold/benchmark.ts';
import { type Outcome, playDialogue } from './play-dialogue.ts';

const DIALOGUES = Number(process.env['MODELS_DIALOGUES'] ?? 40);
const models = process.argv.slice(2);
if (models.length === 0) {
  console.error(
    'Name one model or more, as TRIPACT_MODEL does: npm run bench:models -- anthropic:<model> openai:<model>',
  );
  process.exit(1);
}
const priceFile = process.env['MODELS_PRICES'];
const prices = priceFile === undefined ? undefined : Prices.parse(JSON.parse(readFileSync(priceFile, 'utf8')));

const server = await startTools();
const dialogues = spread(server.dialogues, DIALOGUES);
const base = mkdtempSync(join(process.env['BENCH_DIR'] ?? import.meta.dirname, '.stores-'));

interface Row extends Outcome {
  solved: boolean;
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`);

/** A share with its 95 % interval (Wilson's). */
const share = (part: number, whole: number): string => {
  const z = 1.96;
  const p = part / whole;
  const middle = (p + z ** 2 / (2 * whole)) / (1 + z ** 2 / whole);
  const half = (z * Math.sqrt((p * (1 - p)) / whole + z ** 2 / (4 * whole ** 2))) / (1 + z ** 2 / whole);
  return `${percent(part, whole)} (${Math.round(100 * (middle - half))}–${Math.round(100 * (middle + half))})`;
};

const total = (rows: Row[], of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0);

const money = (rows: Row[]): string => {
  const costs = rows.map(({ cost }) => cost);
  if (costs.includes(null)) return '–';
  return `${costs.reduce((sum, cost) => sum + Number(cost!.amount), 0).toFixed(2)} ${costs[0]?.currency}`;
};

console.log(
  '| model | dialogues | solved | calls | … a gold call | by tool calls | several at once | refused | tokens in | … cached | out | money |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
try {
  for (const [number, model] of models.entries()) {
    const rows: Row[] = [];
    for (const dialogue of dialogues) {
      const run = `${number}-${dialogue.id}`;
      const start = JSON.stringify({ run, dialogue: dialogue.id, kill: null });
      await fetch(`${server.address}/start`, { method: 'POST', body: start });
      const dir = join(base, run);
      const tools = `${server.address}/mcp/${run}/0`;
      const turns = dialogue.turns.map(({ user }) => user);
      const outcome = await playDialogue({ turns, tools, dir, model, env: process.env, ...(prices && { prices }) });
      rmSync(dir, { recursive: true, force: true });
      const { wrong } = (await (await fetch(`${server.address}/report/${run}`)).json()) as { wrong: boolean };
      rows.push({ ...outcome, solved: outcome.failure === null && !wrong });
      console.error(`${model} ${dialogue.id}: ${outcome.failure ?? (wrong ? 'another end state' : 'solved')}`);
    }
    const gold = dialogues.flatMap(({ turns }) => turns.flatMap(({ calls }) => calls)).length;
    const calls = total(rows, (row) => row.calls);
    const input = total(rows, (row) => row.input);
    const cells = [
      share(rows.filter(({ solved }) => solved).length, rows.length),
      calls,
      (calls / gold).toFixed(2),
      percent(
        total(rows, (row) => row.native),
        calls,
      ),
      percent(
        total(rows, (row) => row.chained),
        calls,
      ),
      percent(
        total(rows, (row) => row.missed),
        calls,
      ),
      `${Math.round(input / 1_000)} k`,
      percent(
        total(rows, (row) => row.cacheRead),
        input,
      ),
      `${Math.round(total(rows, (row) => row.output) / 1_000)} k`,
      money(rows),
    ];
    console.log(`| ${[model, rows.length, ...cells].join(' | ')} |`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
  server.close();
}
