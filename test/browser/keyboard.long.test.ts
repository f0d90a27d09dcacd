import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { delayed } from '../support/anthropic/answers.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { shutGate } from '../support/service/gate.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const TEST_MS_MAX = 240_000;

/** Most presses of Tab that lead anywhere on a screen. */
const TABS_MAX = 80;

/** The focused element, as a reader would say it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate('(document.activeElement?.ariaLabel || document.activeElement?.textContent || "").trim()');

/** Presses Tab until the focus is on what is called so; `key` says in which direction. */
const tabTo = async (page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  for (let i = 0; i < TABS_MAX; i++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`No ${key} leads to "${name}".`);
};

describeInBrowser('the console by the keyboard alone', (open) => {
  it(
    'begins, answers, approves, goes back to the question, forks and compares',
    async () => {
      await keptBuild();
      const script = [
        plan('Find out the shop', 'Write it down'),
        { ...ask('Which shop?'), options: ['The market', 'The corner shop'] },
        replanned('Write it down'),
        act('todo', 'add milk'),
        done('Written down'),
        answer('Milk from the market is on the list.'),
      ];
      const service = await startService(script, { TRIPACT_APPROVE: 'todo' });
      const { page, faults } = await open(`${service.url}/console/`);
      const log = page.getByRole('log');
      await page.getByText('Nothing waits for you.').waitFor();
      await page.keyboard.type('Put milk on the list');
      await page.keyboard.press('Enter');

      await page.getByRole('region', { name: 'Question', exact: true }).waitFor();
      await tabTo(page, 'The market', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'May “todo” run?' }).waitFor();
      expect(await focused(page)).toBe('Reason for refusing');
      await tabTo(page, 'Refuse', 'Shift+Tab');
      await page.locator('[aria-keyshortcuts="y"]').waitFor();
      await page.keyboard.press('y');
      await log.getByText('Milk from the market is on the list.').waitFor();

      // Tabs by arrow keys, and calls of the timeline.
      await tabTo(page, 'Conversation', 'Shift+Tab');
      await page.keyboard.press('End');
      await page.locator('[data-active="true"][data-state="done"]').waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('tree').waitFor();
      expect(await focused(page)).toBe('Timeline');
      await tabTo(page, 'Calls of the task');
      await page.keyboard.press('Home');
      await page.locator('[data-detail="2"]').waitFor();
      // The next row is a group, which the keys close and open.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('treeitem', { expanded: false }).first().waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      await page.locator('[data-detail="3"]').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('region', { name: 'Plan', exact: true }).waitFor();
      await page.keyboard.press('1');

      // Back to the question by the slider, and otherwise from there.
      await tabTo(page, 'History of the task');
      await page.keyboard.press('Home');
      await tabTo(page, 'To the next mark', 'Shift+Tab');
      await page.keyboard.press('Enter');
      const asked = page.getByRole('region', { name: 'The question at this moment' });
      await asked.waitFor();
      await tabTo(page, 'The corner shop', 'Shift+Tab');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Recalled').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('The corner shop');
      await page.keyboard.press('Enter');
      await dialog.getByText('Recalled').waitFor();
      service.model.answer([replanned('Write it down'), done(), answer('Milk from the corner shop.')]);
      await tabTo(page, 'Fork');
      await page.keyboard.press('Enter');
      await log.getByText('Milk from the corner shop.').waitFor();
      await tabTo(page, 'Compare with the original');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'First difference' }).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it('takes what is written for no decision on an action that comes up meanwhile', async () => {
    await keptBuild();
    const acting = shutGate();
    const script = [plan('Pay'), delayed(acting.opened, act('todo', 'add pay 19,000 euros')), done(), answer('Paid.')];
    const service = await startService(script, { TRIPACT_APPROVE: 'todo' });
    const { page, faults } = await open(`${service.url}/console/`);
    await page.locator('#message').fill('Look after the bills');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/sessions/*');
    await expect.poll(() => focused(page)).toBe('Message');
    await page.keyboard.type('yesterday I wrote that ');
    acting.open();
    const card = page.getByRole('region', { name: 'May “todo” run?' });
    const approve = card.locator('[aria-keyshortcuts="y"]');
    await approve.waitFor();
    await page.keyboard.type('no bill is paid');
    await page.keyboard.press('Enter');
    expect(await page.locator('#message').inputValue()).toBe('no bill is paid');
    // Beside the card the letters are those of the page.
    await page.getByRole('log').focus();
    await page.keyboard.press('y');
    await page.keyboard.press('e');
    await page.keyboard.press('m');
    expect(await focused(page)).toBe('Reason for refusing');
    expect(await card.locator('pre').textContent()).toBe('add pay 19,000 euros');
    await card.locator('pre').click();
    await page.keyboard.press('y');
    await page.getByRole('log').getByText('Paid.').waitFor();
    expect(faults).toEqual([]);
  });

  it('accepts no key press as a decision in the first second of a question', async () => {
    await keptBuild();
    const acting = shutGate();
    const script = [plan('Pay'), delayed(acting.opened, act('todo', 'add pay 19,000 euros')), done(), answer('Paid.')];
    const service = await startService(script, { TRIPACT_APPROVE: 'todo' });
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    await page.locator('#message').fill('Look after the bills');
    await page.keyboard.press('Enter');
    // As soon as the card is there, before anything else happens in the page.
    await page.evaluate(`new MutationObserver((changes, observer) => {
      const card = document.querySelector('section[aria-label^="May"]');
      if (card === null) return;
      observer.disconnect();
      card.focus();
      globalThis.pressedAt = document.activeElement === card;
      for (const key of ['y', 'n', 'e']) card.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }).observe(document.body, { childList: true, subtree: true })`);
    acting.open();
    const card = page.getByRole('region', { name: 'May “todo” run?' });
    await card.locator('[aria-keyshortcuts="y"]').waitFor();
    expect(await page.evaluate('globalThis.pressedAt')).toBe(true);
    expect(await card.getByRole('button', { name: 'Approve' }).count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/console/sessions/s1');
    await page.keyboard.press('y');
    await page.getByRole('log').getByText('Paid.').waitFor();
    expect(faults).toEqual([]);
  });
});
