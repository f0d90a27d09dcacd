import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { longTrace } from '../support/console/long-trace.ts';
import { dropFile, measureFrames, measureJumps, scrollList } from '../support/console/page-measures.ts';
import { goldenFile } from '../support/golden/files.ts';
import { startService } from '../support/service/service.ts';

/** A browser, a service and axe together take their time on a machine that does other things besides. */
const TEST_MS_MAX = 180_000;

/** How many entries a long trace has. */
const LONG = 30_000;

/** Longest frame that is allowed while nothing is asked for, in milliseconds: a test machine does other things besides. */
const FRAME_MS_MAX = 250;

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
      await page.getByText('entry 4 (4 of 4)').waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'says in words why it does not open another',
    async () => {
      const { page } = await openScreen(open, { language: 'zh' });
      await dropFile(page, 'letter.txt', 'Dear machine,\n');
      await page.getByRole('alert').getByText('无法打开 letter.txt').waitFor();
      await dropFile(page, 'empty.jsonl', '\n');
      await page.getByRole('alert').getByText('其中没有任何记录').waitFor();
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
      const scrolled = await measureFrames(page);
      await scrollList(page, 240, 240);
      const scrolling = await scrolled();
      expect(await page.locator('[role=option]').count()).toBeLessThan(100);
      const inTimeline = await measureJumps(page, LONG, 40);
      await page.getByRole('tab', { name: 'Machine' }).click();
      await page.locator('[data-active="true"]').waitFor();
      const inMachine = await measureJumps(page, LONG, 40);
      const all = { opening, scrolling, inTimeline, inMachine };
      console.log(JSON.stringify(all));
      for (const [name, { p95 }] of Object.entries(all)) expect(p95, name).toBeLessThan(FRAME_MS_MAX);
    },
    TEST_MS_MAX,
  );
});
