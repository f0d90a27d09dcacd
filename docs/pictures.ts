import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { buildApp } from '../src/app/app.ts';
import { loadConfig } from '../src/app/config/config.ts';
import { createLog } from '../src/lib/log.ts';
import { type MessageParts, message } from '../test/support/anthropic/answers.ts';
import type { MessagesScript } from '../test/support/anthropic/messages.ts';
import { startMessagesServer } from '../test/support/anthropic/server.ts';
import { findChrome } from '../test/support/console/find-chrome.ts';
import { keptBuild } from '../test/support/console/kept-build.ts';
import { act, answer, ask, done, plan, replanned } from '../test/support/service/answers.ts';

/** README's pictures, as `node docs/pictures.ts` takes them from a console that runs. */
const PICTURES = {
  task: new URL('./console-task.png', import.meta.url),
  compare: new URL('./console-compare.png', import.meta.url),
};

const SIZE = { width: 1_280, height: 800 };

/** Answers with tokens as a model would use them. */
const scriptOf = (answers: Record<string, unknown>[]): MessagesScript =>
  answers.map((said, i) => {
    const usage = { input_tokens: 1_240 + i * 61, output_tokens: 84 + ((i * 37) % 50), cache_read_input_tokens: 900 };
    return message(said, { usage } satisfies MessageParts);
  });

const STEPS = [
  'Find the trains to Lyon on Friday',
  'Choose a train and note the seat',
  'Put the journey into the schedule',
] as const;

const untilQuestion = [
  plan(...STEPS),
  act('todo', 'add "Trains to Lyon: 07:04, 09:34, 14:58" --tag travel'),
  done('Three trains go on Friday: 07:04, 09:34 and 14:58'),
  replanned(STEPS[1], STEPS[2]),
  {
    ...ask('Which train should it be?'),
    options: ['07:04, arrives 09:00', '09:34, arrives 11:30', '14:58, arrives 17:02'],
  },
];

const afterAnswer = (train: string, end: string) => [
  replanned(STEPS[1], STEPS[2]),
  act('todo', `add "Seat on the ${train} to Lyon" --priority 1`),
  done(`The seat on the ${train} is noted`),
  replanned(STEPS[2]),
  act('schedule', `add "2027-01-15 ${train}" "Train to Lyon" --duration 116`),
  done('It is in the schedule'),
  answer(end),
];

const dataDir = mkdtempSync(join(tmpdir(), 'tripact-pictures-'));
await keptBuild();
const model = await startMessagesServer(
  scriptOf([
    ...untilQuestion,
    ...afterAnswer(
      '09:34',
      'You take the 09:34 on Friday and are in Lyon at 11:30. The seat is noted, and the journey is in your schedule.',
    ),
  ]),
);
const config = loadConfig({
  TRIPACT_DATA_DIR: dataDir,
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: 'sk-of-no-one',
  TRIPACT_TIMEZONE: 'UTC',
});
const app = await buildApp({ config, log: createLog({ level: 'silent' }), version: '0.0.0' });
await app.http.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;

const post = async (path: string, body: unknown): Promise<{ id: string; session_id: string; task_id: string }> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json() as never;
};

const browser = await chromium.launch({ executablePath: findChrome() ?? '', args: ['--no-sandbox'] });
const take = async (
  file: URL,
  path: string,
  colorScheme: 'light' | 'dark',
  ready: (page: Page) => Promise<unknown>,
): Promise<void> => {
  const context = await browser.newContext({ viewport: SIZE, colorScheme, locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(url + path);
  await ready(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: fileURLToPath(file) });
  await context.close();
};

try {
  const { task_id } = await post('/v1/sessions/lyon/turns', { input: 'Plan my train journey to Lyon on Friday' });
  await post('/v1/sessions/lyon/turns', { input: '09:34, arrives 11:30' });
  await take(PICTURES.task, `/console/sessions/lyon/tasks/${task_id}?tab=machine`, 'light', async (page) => {
    await page.getByRole('log').getByText('in Lyon at 11:30').waitFor();
    await page.getByRole('slider').first().waitFor();
    await page.locator('svg').first().waitFor();
  });
  model.answer(
    scriptOf(
      afterAnswer(
        '07:04',
        'You take the 07:04 on Friday and are in Lyon at 09:00. The seat is noted, and the journey is in your schedule.',
      ),
    ),
  );
  const turn = await post(`/v1/tasks/${task_id}/fork`, {
    at: 7,
    input: '07:04, arrives 09:00',
    session_id: 'lyon-early',
  });
  await app.engine.wait('local', turn.id, AbortSignal.timeout(30_000));
  const sides = new URLSearchParams({ left: `lyon/${task_id}`, right: `lyon-early/${turn.task_id}` });
  await take(PICTURES.compare, `/console/compare?${sides}`, 'dark', (page) =>
    page.getByText('in Lyon at 09:00').first().waitFor(),
  );
} finally {
  await browser.close();
  await app.close();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
}
