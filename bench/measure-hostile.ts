import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answersByGoal } from '../test/support/anthropic/answers-by-goal.ts';
import type { MessagesAnswer } from '../test/support/anthropic/messages.ts';
import { startMessagesServer } from '../test/support/anthropic/server.ts';
import { hostileModel } from '../test/support/hostile/model.ts';
import { freePort, serve, stop, whenListening } from './server-process.ts';

const WATCH = fileURLToPath(new URL('../test/support/service/watch-event-loop.ts', import.meta.url));

/** Shorter blocks are not looked at, in milliseconds. */
const NOTED_FROM_MS = 5;

/** Requests that a task may make of a model that never keeps a contract: tries again, and plans again. */
const REQUESTS_MAX = 40;

/** Characters of a hostile request: near the most that a body may have. */
const BODY_CHARS = 900_000;

/** What only waits, and blocks nobody. */
const WAITS: ReadonlySet<string> = new Set(['neverAnswers', 'slow', 'endless', 'announcesMore', 'announcesLess']);

/** Bodies that no client should send as a turn. */
const bodies: Record<string, string> = {
  deepBody: `{"input":${'['.repeat(BODY_CHARS / 2)}${']'.repeat(BODY_CHARS / 2)}}`,
  manyKeys: `{"input":"Hello",${Array.from({ length: 60_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
  longInput: JSON.stringify({ input: 'tomorrow at 3pm and '.repeat(BODY_CHARS / 20) }),
  blankInput: JSON.stringify({ input: `[Step]${' '.repeat(BODY_CHARS)}x` }),
};

/** The longest time that the service's event loop was blocked while it worked on hostile requests and hostile answers of a model. */
const measureHostile = async (dir: string): Promise<Record<string, number>> => {
  const shapes = Object.entries(hostileModel).filter(([name]) => !WAITS.has(name));
  const ordinary: MessagesAnswer[] = [
    { status: 'planned', plan: ['Do it'] },
    { status: 'done', current_step: 'Done', response: 'Done' },
    { status: 'done', plan: [], response: 'Done' },
  ];
  const answers = Object.fromEntries(shapes.map(([name, respond]) => [name, Array(REQUESTS_MAX).fill(respond)]));
  const model = await startMessagesServer(answersByGoal({ ...answers, warm: ordinary }));
  const [port, file] = [await freePort(), join(dir, 'event-loop')];
  const server = serve(
    join(dir, 'data'),
    port,
    {
      TRIPACT_MODEL: 'anthropic:m',
      ANTHROPIC_BASE_URL: model.url,
      TRIPACT_LOG_LEVEL: 'silent',
      EVENT_LOOP_FILE: file,
      EVENT_LOOP_BLOCKED_MS: String(NOTED_FROM_MS),
    },
    ['--import', WATCH],
  );
  const post = (session: string, body: string): Promise<string> =>
    fetch(`http://127.0.0.1:${port}/v1/sessions/${session}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).then((response) => response.text());
  const longestSince = (at: number): number => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    const blocks = lines.map((line) => JSON.parse(line) as { at: number; cpuMs: number });
    return Math.max(0, ...blocks.filter((block) => block.at > at).map(({ cpuMs }) => cpuMs));
  };
  await whenListening(() => post('warm', JSON.stringify({ input: 'warm' })));
  const longest: Record<string, number> = {};
  const take = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const since = Date.now();
    await work();
    longest[name] = longestSince(since);
  };
  for (const [name] of shapes) await take(`answer_${name}`, () => post(name, JSON.stringify({ input: name })));
  for (const [name, body] of Object.entries(bodies)) await take(`body_${name}`, () => post('bodies', body));
  await stop(server);
  await model.close();
  const worst = Object.entries(longest).sort(([, a], [, b]) => b - a);
  return { longest_ms: worst[0]?.[1] ?? 0, ...Object.fromEntries(worst.slice(0, 3)) };
};

const [, , , dir = ''] = process.argv;
console.log(JSON.stringify(await measureHostile(dir)));
