import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { longTrace } from '../support/console/long-trace.ts';
import {
  addFloor,
  dropFile,
  measureBlocks,
  measureFrames,
  measureJumps,
  measureScroll,
} from '../support/console/page-measures.ts';
import { goldenFile } from '../support/golden/files.ts';
import { startService } from '../support/service/service.ts';

/** A browser, a service and axe together take their time on a machine that does other things besides. */
const TEST_MS_MAX = 600_000;

/** How many entries a long trace has. */
const LONG = 30_000;

/** Longest frame that is allowed while nothing is asked for, in milliseconds: a test machine does other things besides. */
const FRAME_MS_MAX = 250;

/** Most processor time that the main thread may take for a move of the slider, in milliseconds: what a page may be blocked for. */
const BLOCK_MS_MAX = 50;

/** Fourteen thousand pixels a second, far beyond what a hand scrolls. */
const SCROLL = { pixels: 240, frames: 240 };

/** Rows of the list that the timeline is compared with: it scrolls over all of them. */
const FLOOR_ROWS = 2_300;

/** How much more processor time a frame of the timeline may take than one of a plain list. */
const FLOOR_FACTOR = 2;

const golden = (name: string): string => readFileSync(goldenFile(name, 'jsonl'), 'utf8');

const openScreen = async (open: Parameters<Parameters<typeof describeInBrowser>[1]>[0], options = {}) => {
  await keptBuild();
  const service = await startService([]);
  const opened = await open(`${service.url}/console/trace`, options);
  await opened.page.locator('input[type=file]').waitFor({ state: 'attached' });
  const isFoldLoaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/task-fold-'))";
  await expect.poll(() => opened.page.evaluate(isFoldLoaded)).toBe(true);
  return opened;
};

describeInBrowser('a trace file in the console', (open) => {
  it(
    'opens without a service, with plan, machine, timeline and slider',
    async () => {
      const { page, faults } = await openScreen(open);
      await page.context().setOffline(true);
      await dropFile(page, 'milk.jsonl', golden('two-items-with-tools'));
      await page.getByText('10 entries; the machine gives the same at every one').waitFor();
      await page.getByRole('tabpanel').getByText('Schedule the dentist visit').first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);

      await page.getByRole('tab', { name: 'Machine' }).click();
      await page.locator('[data-active="true"][data-state="done"]').waitFor();
      await page.getByRole('slider').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.locator('[data-active="true"][data-state="outer.inner.thinking"]').waitFor();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.locator('[data-detail="2"]').getByText('plan_items').first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it(
    'names the first difference of one that was tampered with, and shows what comes before',
    async () => {
      const { page } = await openScreen(open);
      const lines = golden('two-items-with-tools').trimEnd().split('\n');
      const tampered = lines.with(4, String(lines[4]).replace('"state":"replanning"', '"state":"acting"'));
      await dropFile(page, 'tampered.jsonl', tampered.join('\n'));
      const alert = page.getByRole('alert');
      await alert.getByText('at entry 5').waitFor();
      expect(await alert.textContent()).toMatch(/The machine gives\s*replanning\s*The trace says\s*acting/);
      await page.getByText('4 of 4 · entry 4').waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'says in words why it does not open another',
    async () => {
      const { page } = await openScreen(open, { language: 'zh' });
      await dropFile(page, 'letter.txt', 'Dear machine,\n');
      await page.getByRole('alert').getByText('无法打开 letter.txt').waitFor();
      await page.getByText('第 1 条不是轨迹记录。它不是一个完整的 JSON 值').waitFor();
      await dropFile(page, 'empty.jsonl', '\n');
      await page.getByRole('alert').getByText('其中没有任何记录').waitFor();
      await dropFile(page, 'letter.html', '<!doctype html><p>Dear machine,');
      await page.getByRole('alert').getByText('其中没有轨迹').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it(
    'of 30,000 entries opens in slices, scrolls smoothly and goes back in time at once',
    async () => {
      const { page } = await openScreen(open);
      const folder = mkdtempSync(join(tmpdir(), 'tripact-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'long.jsonl');
      writeFileSync(file, Array.from(longTrace(LONG), (entry) => `${JSON.stringify(entry)}\n`).join(''));
      const reading = await measureFrames(page);
      await page.setInputFiles('input[type=file]', file);
      await page.getByText('30000 entries; the machine gives the same').waitFor({ timeout: 120_000 });
      const opening = await reading();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.locator('[data-seq="30000"]').waitFor();

      await page.getByRole('listbox').focus();
      await page.keyboard.press('Home');
      await page.locator('[data-seq="1"]').waitFor();
      const scrolling = await measureScroll(page, '[role=listbox]', SCROLL);
      expect(await page.locator('[role=option]').count()).toBeLessThan(100);
      await addFloor(page, FLOOR_ROWS);
      const floor = await measureScroll(page, '#floor', SCROLL);
      await page.evaluate("document.querySelector('#floor').remove()");
      expect(scrolling.cpu, 'processor time of a frame').toBeLessThan(FLOOR_FACTOR * floor.cpu);
      expect(scrolling.missed, 'frames not drawn').toBeLessThan(FLOOR_FACTOR * floor.missed + SCROLL.frames / 10);

      const blocked = await measureBlocks(page);
      const inTimeline = await measureJumps(page, LONG, 40);
      const search = page.getByRole('searchbox', { name: 'Search in the entries' });
      await search.pressSequentially('shelf 49');
      await page.getByText(`of ${LONG} entries`).waitFor();
      await search.fill('');
      await page.getByRole('tab', { name: 'Machine' }).click();
      await page.locator('[data-active="true"]').waitFor();
      const inMachine = await measureJumps(page, LONG, 40);
      await page.getByRole('tab', { name: 'Plan' }).click();
      await page.getByText(/Show 100 of the \d+ items before/).waitFor();
      const inPlan = await measureJumps(page, LONG, 40);
      const longestBlock = await blocked();
      const all = { opening, inTimeline, inMachine, inPlan };
      console.log(JSON.stringify({ ...all, scrolling, floor, longestBlock }));
      for (const [name, { cpu }] of Object.entries({ inTimeline, inMachine, inPlan }))
        expect(cpu, `processor time of a move ${name}`).toBeLessThan(BLOCK_MS_MAX);
      expect(longestBlock, 'longest block').toBeLessThan(2 * FRAME_MS_MAX);
      for (const [name, { p95 }] of Object.entries(all)) expect(p95, name).toBeLessThan(FRAME_MS_MAX);
    },
    TEST_MS_MAX,
  );
});
