// node bench/cost/processor-time.ts <folder of another checkout>: processor time of the service for one task of five
// items with one tool call each, by the real SDK over HTTP. Both checkouts run alternately; the model is in this
// process, which is not counted.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { type Asked, anthropic, bodyOf } from './wire.ts';

const ITEMS = ['one', 'two', 'three', 'four', 'five'];
const ROUNDS = Number(process.env['ROUNDS'] ?? 12);
const TASKS = Number(process.env['TASKS'] ?? 40);

const RESULT = 'The part is checked, and its owner is told. '.repeat(4).trim();
const ANSWER = 'Every part was checked, and one thing is left to do. '.repeat(3).trim();

const steps = ITEMS.map((item) => `Check part ${item} of the release`);
const act = (part: string): Asked => ({ name: 'look_up', input: { part } });
const done: Asked = { name: 'item_done', input: { result: RESULT, plan: 'unchanged' } };

/** Messages of a model that chains calls. */
const CHAINED: Asked[][] = [
  [{ name: 'plan', input: { items: steps } }, act('one')],
  ...ITEMS.slice(1).map((item) => [done, act(item)]),
  [
    { name: 'item_done', input: { result: RESULT } },
    { name: 'finish', input: { response: ANSWER } },
  ],
];

const nothing = { next_action: null, question: null, response: null };

/** The same work by a model that answers one contract a message. */
const CONTRACTS: object[] = [
  { status: 'planned', plan: steps },
  ...ITEMS.flatMap((part, i) => [
    {
      status: 'continue',
      current_step: steps[i],
      ...nothing,
      next_action: { tool: 'look_up', input: JSON.stringify({ part }) },
    },
    { status: 'done', current_step: steps[i], ...nothing, response: RESULT },
    i < ITEMS.length - 1
      ? { status: 'replanned', plan: steps.slice(i + 1), response: null }
      : { status: 'done', plan: [], response: ANSWER },
  ]),
];

/** In the child: opens a checkout's service, and runs a number of tasks at each message. */
const serve = async (folder: string, dir: string, url: string): Promise<void> => {
  const { createTripact, defineConfig, defineTool } = (await import(
    join(folder, 'src/tripact.ts')
  )) as typeof import('../../src/tripact.ts');
  const { z } = (await import(join(folder, 'node_modules/zod/index.js'))) as typeof import('zod');
  const tripact = await createTripact({
    env: {
      PATH: process.env['PATH'],
      TRIPACT_DATA_DIR: dir,
      TRIPACT_LOG_LEVEL: 'error',
      TRIPACT_MODEL: 'anthropic:scripted',
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: url,
    },
    config: defineConfig({
      tools: [
        defineTool({
          name: 'look_up',
          description: 'Looks a part of the release up.',
          input: z.object({ part: z.string() }),
          run: ({ part }: { part: string }) => `${part}: the file lists the parts and their owners. `.repeat(8),
        } as never),
      ],
    }),
  });
  let tasks = 0;
  process.on('message', (count: number) => {
    void (async () => {
      const before = process.cpuUsage();
      for (let i = 0; i < count; i++) {
        const session = `s${++tasks}`;
        const { status, output } = await tripact.turn({ session, input: `[${session}] Check the release` });
        if (status !== 'answered' || output !== ANSWER) throw new Error(`${status}: ${output}`);
      }
      const { user, system } = process.cpuUsage(before);
      process.send!((user + system) / 1_000 / count);
    })();
  });
  process.send!('ready');
};

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

const compare = async (other: string): Promise<void> => {
  const asked = new Map<string, number>();
  const model = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const { tools } = anthropic.read(body as never);
      const key = `${request.url} ${/\[(s\d+)\]/.exec(JSON.stringify(body))?.[1]}`;
      const at = asked.get(key) ?? 0;
      asked.set(key, at + 1);
      if (tools.includes('finish')) anthropic.write(response, { calls: CHAINED[at]!, text: '' }, false);
      else anthropic.write(response, { calls: [], text: JSON.stringify(CONTRACTS[at]) }, false);
    })();
  });
  await new Promise<void>((listening) => model.listen(0, '127.0.0.1', listening));
  const { port } = model.address() as AddressInfo;
  const base = mkdtempSync(join(process.env['BENCH_DIR'] ?? import.meta.dirname, '.stores-'));
  const folders = { this: resolve(import.meta.dirname, '../..'), other: resolve(other) };
  const services: ChildProcess[] = [];
  try {
    const costs: Record<string, number[]> = {};
    for (const [name, folder] of Object.entries(folders)) {
      const child = fork(import.meta.filename, [
        'service',
        folder,
        join(base, name),
        `http://127.0.0.1:${port}/${name}`,
      ]);
      child.once('exit', () => process.exit(1));
      services.push(child);
      costs[name] = [];
      await once(child, 'message');
    }
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [i, name] of Object.keys(folders).entries()) {
        services[i]!.send(TASKS);
        const [ms] = (await once(services[i]!, 'message')) as [number];
        // The first round warms up.
        if (round > 0) costs[name]!.push(ms);
      }
    }
    // On a busy machine the cheapest rounds are the least disturbed ones.
    const cheapest = (name: string): number => {
      const sorted = costs[name]!.toSorted((one, two) => one - two);
      return median(sorted.slice(0, Math.ceil(sorted.length / 4)));
    };
    const [ours, theirs] = [cheapest('this'), cheapest('other')];
    const all = median(costs['this']!) / median(costs['other']!);
    console.log(
      `this ${ours.toFixed(1)} ms a task, the other ${theirs.toFixed(1)} ms, in the cheapest quarter of ${ROUNDS} rounds of ${TASKS} tasks; ` +
        `ratio ${(ours / theirs).toFixed(2)}, of all rounds ${all.toFixed(2)}`,
    );
  } finally {
    for (const service of services) service.removeAllListeners('exit').kill();
    model.close();
    rmSync(base, { recursive: true, force: true });
  }
};

const [what = '', ...given] = process.argv.slice(2);
if (what === 'service') await serve(given[0]!, given[1]!, given[2]!);
else await compare(what);
