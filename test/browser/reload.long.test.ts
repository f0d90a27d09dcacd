import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { silence } from '../support/anthropic/answers.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { goldenFile } from '../support/golden/files.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

/** How long the whole story may take on a busy machine, in milliseconds. */
const STORY_MS_MAX = 300_000;

/** Loads the page again, and checks that it shows the same at the same address. */
const reloaded = async (page: Page, check: () => Promise<unknown>): Promise<void> => {
  await check();
  const address = page.url();
  await page.reload();
  await check();
  expect(page.url()).toBe(address);
};

describeInBrowser('a reload', (open) => {
  it(
    'loses nothing and shows the same place, at every point of a story',
    async () => {
      await keptBuild();
      const env = { TRIPACT_APPROVE: 'todo', TRIPACT_MAX_STEPS: '6' };
      const service = await startService([plan('Look around', 'Report'), silence()], env);
      const { page, faults } = await open(`${service.url}/console/sessions/shop`);
      const field = page.locator('#message');
      const log = page.getByRole('log');
      const panel = page.getByRole('tabpanel');
      const planned = page.getByRole('region', { name: 'Plan', exact: true });
      const question = page.getByRole('region', { name: 'Question', exact: true });
      const approval = page.getByRole('region', { name: 'May “todo” run?' });
      const say = async (text: string): Promise<void> => {
        await field.fill(text);
        await field.press('Enter');
      };

      // A goal that is written, and one that runs.
      await field.fill('Look after the shop');
      await reloaded(page, () => expect.poll(() => field.inputValue()).toBe('Look after the shop'));
      await field.press('Enter');
      await service.model.asked(2);
      await reloaded(page, () => planned.getByText('Look around').waitFor());
      await reloaded(page, () => log.locator('[data-state="running"]').first().waitFor());
      await field.fill('And be quick');
      await reloaded(page, () => expect.poll(() => field.inputValue()).toBe('And be quick'));
      await field.fill('');
      await page.getByRole('button', { name: 'Stop' }).click();
      await reloaded(page, () => log.getByText('stopped').first().waitFor());

      // A question, and a half-written answer.
      service.model.answer([
        plan('Find out the shop', 'Write it down'),
        { ...ask('Which shop?'), options: ['The market', 'The corner shop'] },
        replanned('Write it down', 'Check it'),
        act('todo', 'add milk'),
      ]);
      await say('Put milk on the list');
      await field.fill('half an answer');
      await reloaded(page, async () => {
        await question.getByRole('button', { name: 'The corner shop' }).waitFor();
        expect(await field.inputValue()).toBe('half an answer');
        await expect.poll(() => page.title()).toMatch(/^\(1\) .+ · Tripact$/);
      });
      await field.fill('');
      await question.getByRole('button', { name: 'The market' }).click();

      // An approval, an edited input and a reason.
      await reloaded(page, () => approval.getByRole('button', { name: 'Approve' }).waitFor());
      await approval.getByRole('button', { name: 'Edit' }).click();
      const input = approval.getByRole('textbox', { name: 'Input' });
      await input.fill('add oat milk');
      await page.getByRole('textbox', { name: 'Reason for refusing' }).fill('no cows');
      await reloaded(page, async () => {
        await expect.poll(() => input.inputValue()).toBe('add oat milk');
        expect(await page.getByRole('textbox', { name: 'Reason for refusing' }).inputValue()).toBe('no cows');
      });
      service.model.answer([done('Written down'), replanned('Check it')]);
      await approval.getByRole('button', { name: 'Run with these' }).click();

      // The pause at the limit, and how it goes on.
      await reloaded(page, async () => {
        await log.getByRole('button', { name: 'Go on' }).waitFor();
        await log.getByText('All 6 steps are used').waitFor();
      });
      service.model.answer([
        replanned('Check it'),
        done('Checked'),
        answer('Oat milk from the market is on the list.'),
      ]);
      await log.getByRole('button', { name: 'Go on' }).click();
      await reloaded(page, () => log.getByText('Oat milk from the market is on the list.').waitFor());

      // Each tab of the task.
      await page.getByRole('tab', { name: 'Machine' }).click();
      await reloaded(page, () => panel.locator('[data-active="true"][data-state="done"]').waitFor());
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await reloaded(page, () => panel.getByText('Oat milk from the market').waitFor());
      await page.locator('[data-seq]').first().click();
      await reloaded(page, () => page.locator('[data-detail]').waitFor());
      await page.getByRole('button', { name: 'Back to the plan' }).click();
      await page.getByRole('tab', { name: 'Conversation' }).click();
      await reloaded(page, () => planned.getByRole('heading', { name: 'How the plan changed' }).waitFor());

      // Back at the question, and a fork from there that is not made yet.
      await page.getByRole('slider', { name: 'History of the task' }).focus();
      await page.keyboard.press('Home');
      await page.getByRole('button', { name: 'To the next mark' }).click();
      await expect.poll(() => page.url()).toContain('seq=');
      const asked = page.getByRole('region', { name: 'The question at this moment' });
      await reloaded(page, () => asked.getByText('Which shop?').waitFor());
      await asked.getByRole('button', { name: 'The corner shop' }).click();
      const dialog = page.getByRole('dialog');
      const given = dialog.getByRole('textbox', { name: 'Your answer in the fork' });
      await dialog.getByText('Recalled').waitFor();
      await given.fill('The corner shop, please');
      await reloaded(page, async () => {
        await dialog.getByText('Recalled').waitFor();
        expect(await given.inputValue()).toBe('The corner shop, please');
      });
      service.model.answer([replanned('Write it down'), done(), answer('Milk from the corner shop.')]);
      await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
      await reloaded(page, () => log.getByText('Milk from the corner shop.').waitFor());

      // The comparison of both, the dialogs that lead there, and the service itself.
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Compare' }).click();
      await reloaded(page, () => dialog.getByRole('button', { name: 'Compare' }).waitFor());
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Compare with the original' }).click();
      await reloaded(page, () => page.getByRole('region', { name: 'First difference' }).waitFor());
      await page.getByRole('link', { name: 'System' }).click();
      for (const [tab, text] of [
        ['Tools', 'internet_search'],
        ['Usage', 'Model calls'],
        ['Limits', 'kept_calls'],
        ['Contracts', 'next_action'],
        ['API keys', 'No key is stored'],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click();
        await reloaded(page, () => page.getByRole('tabpanel').getByText(text).first().waitFor());
      }

      // A trace file that is open, at a call of its timeline.
      await page.goto(`${service.url}/console/trace`);
      await page.locator('input[type=file]').setInputFiles(goldenFile('two-items-with-tools', 'jsonl'));
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page
        .getByRole('treeitem', { name: /^Think → item done/ })
        .first()
        .click();
      await expect.poll(() => page.url()).toContain('call=');
      await reloaded(page, () => page.locator('[data-detail="5"]').waitFor());
      expect(faults).toEqual([]);
    },
    STORY_MS_MAX,
  );
});
