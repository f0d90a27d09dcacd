import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createTripact, defineConfig, defineTool } from '../../src/tripact.ts';
import { startModelServer } from './model-server.ts';
import type { Asked } from './wire.ts';

const weather = (city: string): Asked => ({ name: 'weather', input: { city } });
const finish = (response: string): Asked => ({ name: 'finish', input: { response } });
const itemDone = (result: string): Asked => ({ name: 'item_done', input: { result, plan: 'unchanged' } });

const CITIES = ['Oslo', 'Rome', 'Paris', 'Lima', 'Kyoto'];
const TWELVE = Array.from({ length: 12 }, (_, i) => `City ${i + 1}`);

interface Story {
  name: string;
  goal: string;
  /** The model's messages, each a list of calls. */
  messages: Asked[][];
}

const STORIES: Story[] = [
  { name: '"hello"', goal: 'hello', messages: [[finish('Hello!')]] },
  {
    name: 'one tool',
    goal: 'How warm is it in Oslo?',
    messages: [[weather('Oslo')], [finish('It is 4 °C in Oslo.')]],
  },
  {
    name: 'five cities in one item',
    goal: `How warm is it in ${CITIES.join(', ')}?`,
    messages: [CITIES.map(weather), [finish('It is 4 °C in all of them.')]],
  },
  {
    name: 'twelve items of one tool each',
    goal: `How warm is it in ${TWELVE.join(', ')}?`,
    messages: [
      [{ name: 'plan', input: { items: TWELVE.map((city) => `Weather in ${city}`) } }, weather(TWELVE[0]!)],
      ...TWELVE.slice(1).map((city) => [itemDone('It is 4 °C.'), weather(city)]),
      [finish('It is 4 °C in all of them.')],
    ],
  },
];

/** How a story ended, with all defaults. */
export interface Told {
  name: string;
  status: string;
  calls: number;
  steps: string;
}

/** Runs the stories on Tripact with all its defaults. */
export const tellStories = async (): Promise<Told[]> => {
  const told: Told[] = [];
  for (const { name, goal, messages } of STORIES) {
    const dir = mkdtempSync(join(process.env['BENCH_DIR'] ?? import.meta.dirname, '.stores-'));
    let at = 0;
    const model = await startModelServer(() => ({ calls: messages[at++] ?? [], text: '' }), new Set());
    model.begin({ calls: [], itemACall: false });
    const tripact = await createTripact({
      env: {
        PATH: process.env['PATH'],
        TRIPACT_DATA_DIR: dir,
        TRIPACT_LOG_LEVEL: 'error',
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: model.url,
      },
      config: defineConfig({
        tools: [
          defineTool({
            name: 'weather',
            description: 'Tells the weather of a city.',
            input: z.object({ city: z.string() }),
            run: ({ city }) => `${city}: 4 °C`,
          }),
        ],
      }),
    });
    const { status, task } = await tripact.turn({ session: 'story', input: goal });
    told.push({ name, status, calls: model.costs.length, steps: `${task?.step_count} of ${task?.step_limit}` });
    await tripact.close();
    await model.close();
    rmSync(dir, { recursive: true, force: true });
  }
  return told;
};
