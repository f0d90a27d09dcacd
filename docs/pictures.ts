import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import type { TurnView } from '../contracts/turn-view.ts';
import { createDemoFolder } from '../examples/demo-service.ts';
import { findChrome } from '../test/support/console/find-chrome.ts';

/**
 * The README's pictures, light and dark. `node docs/pictures.ts` takes them from a running service and console: the task
 * of an older version with its open question, the kill, this version on the same folder, the answer, and the slider. The
 * first frame says what is seen. Joining the frames needs `img2webp` (Debian: `apt-get install webp`).
 */
const pictureOf = (theme: Theme): string =>
  fileURLToPath(new URL(theme === 'light' ? './tour.webp' : './tour-dark.webp', import.meta.url));

type Theme = 'light' | 'dark';

/** How long a frame is shown, in milliseconds. */
const FRAME_MS = 2_400;
const CAPTION_HEIGHT = 44;
const SIZE = { width: 1_180, height: 596 };

const COLOURS = {
  light: { text: '#1d1d26', ground: '#f6f6f9', command: '#0a7040' },
  dark: { text: '#e4e4ea', ground: '#16161d', command: '#7ee2a8' },
};

/** Takes the frames of the story in one theme, and joins them. */
const takePicture = async (browser: Browser, theme: Theme, frameDir: string): Promise<void> => {
  const frames: string[] = [];
  const context = await browser.newContext({
    viewport: { width: SIZE.width, height: SIZE.height + CAPTION_HEIGHT },
    locale: 'en-US',
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const easel = await context.newPage();
  const { text, ground, command } = COLOURS[theme];
  /** Adds a frame: a caption, and below it a screenshot. */
  const frame = async (caption: string, screen: string): Promise<void> => {
    await easel.setContent(`<style>
      body { margin: 0; font: 20px system-ui, sans-serif } h1 { margin: 0; padding: 0 16px; font: 600 20px/${CAPTION_HEIGHT}px system-ui;
      color: #fff; background: #3538cd } img { display: block } pre { margin: 0; height: ${SIZE.height}px; padding: 28px; box-sizing: border-box;
      font: 23px/1.6 monospace; color: ${text}; background: ${ground}; white-space: pre-wrap } b { color: ${command}; font-weight: 600 }
      </style><h1>${caption}</h1>${screen}`);
    await easel.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
    const file = join(frameDir, `${theme}-${frames.length}.png`);
    writeFileSync(file, await easel.screenshot());
    frames.push(file);
  };

  const folder = createDemoFolder('by-older-version');
  const service = await folder.start({ TRIPACT_TIMEZONE: 'UTC' });
  const get = async <Body>(path: string): Promise<Body> => (await fetch(service.url + path)).json() as never;
  const { turns } = await get<{ turns: TurnView[] }>('/v1/sessions/demo/turns');
  const asked = turns[0] as TurnView;

  const view = await context.newPage();
  view.setDefaultTimeout(60_000);
  await view.setViewportSize(SIZE);
  const show = async (caption: string): Promise<void> => {
    const png = (await view.screenshot()).toString('base64');
    await frame(caption, `<img src="data:image/png;base64,${png}">`);
  };
  const address = `${service.url}/console/sessions/demo/tasks/${asked.task_id}`;
  await view.goto(address);
  const slider = view.getByRole('slider').first();
  const isAt = (seq: number) => slider.and(view.locator(`[aria-valuetext*="entry ${seq} "]`)).waitFor();
  await isAt(7);
  await show('Tripact: an agent whose questions outlive a crash and an upgrade');

  const typed = (line: string): string => `<b>$ ${line}</b>\n`;
  const story = [
    `${typed(`tripact run "${asked.input}"`)}${asked.output}\n`,
    `${typed('pkill -9 -f "tripact serve"')}Killed\n`,
    `${typed('npm install tripact-0.1.0.tgz')}${typed('tripact serve')}Tripact is ready\n  console  ${service.url}/console\n`,
  ];
  const captions = ['A task asks you, and waits', 'kill -9', 'A newer version starts on the same folder'];
  for (const [i, caption] of captions.entries())
    await frame(`${i + 1} · ${caption}`, `<pre>${story.slice(0, i + 1).join('\n')}</pre>`);

  await show('4 · The question is still there');
  await view.getByRole('textbox').last().fill('tomorrow at 10am');
  await show('4 · The question is still there');
  await view.keyboard.press('Enter');
  await view.getByRole('log').getByText('2 of 2 done').waitFor();
  await view.getByRole('region', { name: 'Inspector' }).getByText('2 of 2 done').waitFor();
  await isAt(13);
  await show('5 · The task goes on with your answer; the milk is not added twice');
  for (const seq of [11, 7]) {
    await view.goto(`${address}?seq=${seq}`);
    await isAt(seq);
    await show('6 · Back to any moment: another answer from there is a fork');
  }
  await service.end('SIGTERM');
  await context.close();
  const options = ['-loop', '0', '-lossy', '-kmin', '0', '-kmax', '1', '-q', '30', '-m', '6', '-d', String(FRAME_MS)];
  execFileSync('img2webp', [...options, ...frames, '-o', pictureOf(theme)], { stdio: 'inherit' });
};

const frameDir = mkdtempSync(join(tmpdir(), 'tripact-pictures-'));
const browser = await chromium.launch({ executablePath: findChrome() ?? '', args: ['--no-sandbox'] });
try {
  for (const theme of ['light', 'dark'] as const) await takePicture(browser, theme, frameDir);
} finally {
  await browser.close();
  rmSync(frameDir, { recursive: true, force: true });
}
