import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { goldenFile } from '../support/golden/files.ts';
import { traceOf } from '../support/golden/moments.ts';
import { openTask } from '../support/machine/task-driver.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

/** A browser, a service and axe together take their time on a machine that does other things besides. */
const TEST_MS_MAX = 600_000;

/** How many recorded tasks are listed at once. */
const LISTED = 50;

/** How many entries a long trace has. */
const LONG = 6_002;

/** The trace of one task with so many entries, which replays. */
const longTrace = (): string => {
  const limits = { max_steps: LONG, max_total_steps: LONG, max_rounds_per_item: LONG };
  const task = openTask({ goal: 'Walk through the archive', limits }).plans('Read on');
  for (let shelf = 1; task.events.length + 1 < LONG; shelf++)
    task.acts(`add shelf ${shelf}`).observes(`Shelf ${shelf} is on the list.`);
  return traceOf(task)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
};

/** Drops a file on the page. */
const dropFile = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }`);

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

describeInBrowser('the recorded tasks in the console', (open) => {
  it(
    'are listed with what they took: one opens the timeline, two are compared, and a file is closed again',
    async () => {
      await keptBuild();
      const service = await startService([]);
      for (const [session, said] of Object.entries({ tea: 'Tea is on the list.', milk: 'Milk is on the list.' })) {
        service.model.answer([plan(`Note ${session}`), done(), answer(said)]);
        await service.say(session, `Put ${session} on the list`);
      }
      const { page, faults } = await open(`${service.url}/console/traces`);
      await page.getByRole('row', { name: 'Put milk on the list' }).getByText('done').waitFor();
      await page.getByRole('searchbox', { name: 'Search tasks' }).fill('tea');
      await page.getByRole('row', { name: 'Put milk on the list' }).waitFor({ state: 'detached' });
      await page.getByRole('searchbox', { name: 'Search tasks' }).fill('');
      await page.getByRole('checkbox', { name: 'Choose “Put milk on the list”' }).check();
      expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
      await page.getByRole('checkbox', { name: 'Choose “Put tea on the list”' }).check();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('region', { name: 'First difference' }).locator('del').getByText('milk').waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Load the demo task' }).click();
      await page.getByText(/^demo-task\.jsonl · 23 entries/).waitFor();
      // On a phone the title is whole.
      await page.setViewportSize({ width: 390, height: 844 });
      const title = page.getByRole('heading', { name: 'Order 1043 arrived broken. Refund it and tell the customer.' });
      await title.waitFor();
      const isWhole =
        '(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector("header h2"))';
      expect(await page.evaluate(isWhole)).toBe(true);
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.getByRole('button', { name: 'Close the file' }).click();
      await page.getByRole('link', { name: 'Put tea on the list' }).click();
      await page.getByRole('tree', { name: 'Calls of the task' }).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it(
    'are sorted by any column, also those that are not listed yet, with the keyboard and on a phone',
    async () => {
      await keptBuild();
      const service = await startService([]);
      // The longest is the oldest: the first page of the list does not have it.
      service.model.answer([plan('Walk', 'Note'), act('todo', 'list'), done(), done(), answer('Noted.')]);
      await service.say('archive', 'Archive the year');
      for (let i = 1; i <= LISTED; i++) {
        service.model.answer([plan('Note'), done(), answer('Noted.')]);
        await service.say(`note-${i}`, `Note ${i}`);
      }
      const { page, faults } = await open(`${service.url}/console/trace`);
      const name = (row: number) => page.getByRole('row').nth(row).getByRole('link');
      const seen = (text: string) => expect.poll(() => name(1).textContent()).toBe(text);
      const sorted = () =>
        page
          .locator('th[aria-sort]')
          .evaluateAll((heads: { textContent: string; ariaSort: string }[]) =>
            heads.map(({ textContent, ariaSort }) => `${textContent} ${ariaSort}`),
          );
      await seen(`Note ${LISTED}`);
      await expect.poll(sorted).toEqual(['Last used descending']);

      await page.getByRole('button', { name: 'Entries' }).click();
      await seen('Archive the year');
      await expect.poll(sorted).toEqual(['Entries descending']);
      expect(await page.getByRole('row').count()).toBe(1 + LISTED);
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => page.getByRole('row').count()).toBe(2 + LISTED);

      await page.getByRole('button', { name: 'Task', exact: true }).focus();
      await page.keyboard.press('Enter');
      await seen('Archive the year');
      await expect.poll(sorted).toEqual(['Task ascending']);
      expect(await name(3).textContent()).toBe('Note 2');
      await page.keyboard.press('Enter');
      await seen(`Note ${LISTED}`);
      await expect.poll(sorted).toEqual(['Task descending']);
      expect(await accessibilityFaults(page)).toEqual([]);

      // The order is in the address: it is there again after a task was looked at.
      await name(2).click();
      await page.getByRole('tree', { name: 'Calls of the task' }).waitFor();
      await page.goBack();
      await seen(`Note ${LISTED}`);
      await expect.poll(sorted).toEqual(['Task descending']);

      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Reverse the order' }).click();
      await expect.poll(() => page.locator('[data-row]').first().textContent()).toBe('Archive the year');
      await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Last used');
      await expect.poll(() => page.locator('[data-row]').first().textContent()).toBe(`Note ${LISTED}`);
      // What is known of a task is one line, and the lists are one as wide as the page.
      const known = page.locator('tbody tr').first().locator('td:visible');
      expect(await known.allTextContents()).toEqual([
        'done',
        expect.stringMatching(/^\d+ entries$/),
        expect.anything(),
      ]);
      const lines = (await Promise.all((await known.all()).map((cell) => cell.boundingBox()))).map(
        (box) => box!.y + box!.height / 2,
      );
      expect(Math.max(...lines) - Math.min(...lines)).toBeLessThan(4);
      expect((await page.getByRole('navigation', { name: 'Traces' }).boundingBox())?.width).toBe(390);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});

describeInBrowser('a trace file in the console', (open) => {
  it(
    'opens without a service, with plan, machine, timeline and slider',
    async () => {
      const { page, faults } = await openScreen(open);
      await page.context().setOffline(true);
      await dropFile(page, 'milk.jsonl', golden('two-items-with-tools'));
      await page.getByText('10 entries; the machine gives the same result for each').waitFor();
      await page.getByText('· 10 without a chain: changes of what they say would not be found').waitFor();
      await page
        .getByRole('region', { name: 'Plan', exact: true })
        .getByText('Schedule the dentist visit')
        .first()
        .waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);

      await page.getByRole('tab', { name: 'Machine' }).click();
      await page.locator('[data-active="true"][data-state="done"]').waitFor();
      await page.getByRole('slider').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.locator('[data-active="true"][data-state="open.working.outer.inner.thinking"]').waitFor();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.locator('[data-detail="2"]').waitFor();
      await page.getByText(/^All \d+ changed fields$/).click();
      await page.getByText('plan_items').first().waitFor();
      await page.getByRole('heading', { name: 'Plan as it was' }).waitFor();
      await page.getByRole('tree').getByRole('treeitem', { name: /^Plan/ }).waitFor();
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
      await page.getByText(/, entry 4$/).waitFor();
    },
    TEST_MS_MAX,
  );

  it(
    'of thousands of entries draws a screen of them, goes back in time and searches',
    async () => {
      const { page, faults } = await openScreen(open);
      await dropFile(page, 'long.jsonl', longTrace());
      await page.getByText(`${LONG} entries; the machine gives the same`).waitFor();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      const tree = page.getByRole('tree');
      // Thousands of calls that repeat share a row, until one opens it.
      const run = tree.getByRole('treeitem', { name: /^Think, todo 3,?000 times/ });
      await run.click();
      await tree.focus();
      await page.keyboard.press('End');
      await page.locator(`[data-seq="${LONG}"]`).waitFor();
      await page.keyboard.press('Home');
      await page.locator('[data-seq="2"]').waitFor();
      expect(await tree.getByRole('treeitem').count()).toBeLessThan(100);
      await page.getByRole('searchbox', { name: 'Search calls' }).fill('shelf 49');
      await page.getByText(/^\d+ of 6002 calls/).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
