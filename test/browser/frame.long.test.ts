import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const TEST_MS_MAX = 240_000;

/** Most that the parts of a page may move while it is drawn, as browsers count it. */
const SHIFT_MAX = 0.02;

/** Tool calls of a long session: two entries each. */
const CALLS = 150;

/** Code that is loaded late. */
const PARTS = [
  'session-screen',
  'timeline-pane',
  'machine-chart',
  'task-fold',
  'fork-dialog',
  'task-page',
  'system-screen',
  'keys-dialog',
];

/** A session of some three hundred entries, and one that asks. */
const longSession = async () => {
  await keptBuild();
  const calls = Array.from({ length: CALLS }, (_, i) => act('todo', i % 2 === 0 ? `add shelf ${i}` : 'list'));
  const service = await startService([], {
    TRIPACT_MAX_STEPS: '900',
    TRIPACT_MAX_TOTAL_STEPS: '900',
    TRIPACT_MAX_ROUNDS_PER_ITEM: '900',
  });
  service.model.answer([
    plan('Walk', 'Write'),
    ...calls,
    done('Walked'),
    replanned('Write'),
    done(),
    answer('# Read\n\n**All** of it.'),
  ]);
  await service.say('long', 'Walk through the archive');
  service.model.answer([plan('Ask'), ask('Which shop?')]);
  await service.say('asks', 'Put milk on the list');
  return service;
};

/** Resolves when the code of every screen is loaded, which the page does while it is idle. */
const isWhole = (page: Page): Promise<void> =>
  expect
    .poll(async () => {
      const loaded = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name).join()");
      return PARTS.filter((part) => !String(loaded).includes(`/${part}-`));
    })
    .toEqual([]);

/** The last call that the timeline shows. */
const lastCall = (page: Page): Locator => page.getByRole('treeitem').and(page.locator('[data-seq]')).last();

/** The machine with the path through it; on a phone in words. */
const machineAt = (page: Page, width: number): Locator =>
  width <= 760
    ? page.getByRole('listitem').filter({ hasText: 'thinking → acting' })
    : page.locator(`[data-edge$="thinking→open.working.outer.inner.acting"][data-count="${CALLS}"]`);

/** Counts how much the page moves its parts from its next address on. */
const countShift = (page: Page): Promise<unknown> =>
  page.addInitScript(`globalThis.shift = 0; new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });`);

const shiftOf = (page: Page): Promise<number> => page.evaluate('globalThis.shift');

/** How much it moved since it was asked last. A change is counted with the frame that draws it. */
const nextShift = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
    seen(globalThis.shift);
    globalThis.shift = 0;
  }))))`);

describeInBrowser('the frame of the console', (open) => {
  it(
    'moves nothing while a session of 300 entries is drawn, wide and on a phone',
    async () => {
      const service = await longSession();
      for (const width of [1_440, 390]) {
        const { page, faults } = await open('about:blank', { width });
        await countShift(page);
        for (const [address, seen] of [
          ['/console/sessions/long', () => page.getByRole('log').getByText('All of it.')],
          ['/console/sessions/long?tab=timeline', () => lastCall(page)],
          ['/console/sessions/long?tab=machine', () => machineAt(page, width)],
          ['/console/sessions/asks', () => page.getByRole('log').getByText('Which shop?').last()],
          ['/console/sessions/asks?tab=timeline&call=3&part=state', () => page.locator('[data-detail="3"]')],
          ['/console/sessions/long?tab=plan', () => page.getByText('Walked').last()],
          ['/console/sessions', () => page.getByRole('link', { name: /Walk through the archive/ })],
          ['/console/', () => page.getByText('Which shop?').last()],
          ['/console/trace', () => page.getByRole('link', { name: 'Walk through the archive' })],
          ['/console/system?tab=usage', () => page.getByRole('heading', { name: 'By day' })],
        ] as const) {
          await page.goto(service.url + address);
          await seen().waitFor();
          await isWhole(page);
          expect(await shiftOf(page), `${address} at ${width}`).toBeLessThan(SHIFT_MAX);
        }
        expect(faults).toEqual([]);
      }
    },
    TEST_MS_MAX,
  );

  it(
    'moves nothing while the preview of a fork is loaded, or another one takes its place',
    async () => {
      const service = await startService([]);
      service.model.answer([
        plan('Ask', 'Write'),
        act('todo', 'list'),
        { ...ask('Which milk?'), options: ['Oat milk', 'Cow’s milk'] },
        replanned('Write'),
        act('todo', 'add oat milk'),
        done(),
        answer('Oat milk is on the list.'),
      ]);
      await service.say('milk', 'Put milk on the list');
      await service.say('milk', 'Oat milk');
      for (const width of [1_440, 390]) {
        const { page, faults } = await open('about:blank', { width });
        await countShift(page);
        let asked = Promise.withResolvers<void>();
        let answered = Promise.withResolvers<void>();
        await page.route('**/fork?at=*', async (route) => {
          asked.resolve();
          await answered.promise;
          await route.continue();
        });
        await page.goto(`${service.url}/console/sessions/milk?dialog=fork`);
        const dialog = page.getByRole('dialog', { name: 'Fork this task' });
        const moments = dialog.getByRole('combobox', { name: 'Continue from' });
        await asked.promise;
        await moments.waitFor();
        await isWhole(page);
        await nextShift(page);
        answered.resolve();
        await dialog.getByText('Your answer in the fork').waitFor();
        expect(await nextShift(page), `opened at ${width}`).toBeLessThan(SHIFT_MAX);
        for (const [moment, seen] of [
          [/^before the tool “todo” · entry 3/, 'What else it should know (may be empty)'],
          [/^the question “Which milk\?”/, 'Your answer in the fork'],
        ] as const) {
          asked = Promise.withResolvers();
          answered = Promise.withResolvers();
          const name = await moments.getByRole('option', { name: moment }).textContent();
          await moments.selectOption(String(name));
          await asked.promise;
          // What was there stays, but nothing can be agreed to that is not shown.
          await dialog.getByText(/^Recalled/).waitFor();
          expect(await dialog.getByRole('button', { name: 'Fork', exact: true }).isDisabled()).toBe(true);
          answered.resolve();
          await dialog.getByText(seen).waitFor();
          expect(await nextShift(page), `${name} at ${width}`).toBeLessThan(SHIFT_MAX);
        }
        expect(faults).toEqual([]);
      }
    },
    TEST_MS_MAX,
  );

  it(
    'has every screen there once it is idle: none is missing when the service is gone',
    async () => {
      const service = await longSession();
      const { page, faults } = await open(`${service.url}/console/sessions/long`);
      await page.getByRole('log').getByText('All of it.').waitFor();
      await isWhole(page);
      await page.context().setOffline(true);
      await page.getByRole('tab', { name: 'Timeline' }).click();
      const seq = await lastCall(page).getAttribute('data-seq');
      await lastCall(page).click();
      await page.locator(`[data-detail="${seq}"]`).waitFor();
      await page.getByRole('tab', { name: 'Machine' }).click();
      await page.locator('[data-active="true"][data-state="done"]').waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('next call').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'System' }).click();
      await page.getByRole('tab', { name: 'Limits' }).waitFor();
      await page.getByRole('link', { name: 'Traces' }).click();
      await page.getByRole('heading', { name: 'Traces' }).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it('opens the list over a session where it has no room beside it, and says where a link leads nowhere', async () => {
    const service = await longSession();
    const { page, faults } = await open(`${service.url}/console/sessions/long?tab=timeline`);
    const list = page.getByRole('navigation', { name: 'Inbox and sessions' });
    await lastCall(page).waitFor();
    expect(await list.count()).toBe(0);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await list.getByText('Which shop?').waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('milk');
    await list.getByRole('link', { name: /Put milk on the list/ }).click();
    await page.getByRole('region', { name: 'Question' }).waitFor();
    // Beside the conversation there is room.
    await list.getByText('Put milk on the list').first().waitFor();
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Review' }).click();
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Question');
    await page.goto(`${service.url}/console/sessions/gone/tasks/task_0mx28dtyz1q791ftbgnqzpw280`);
    await page.getByRole('heading', { name: 'This link leads nowhere' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('folds the filters of the timeline where the views need the room', async () => {
    const service = await longSession();
    for (const width of [1_000, 1_024]) {
      const { page, faults } = await open(`${service.url}/console/sessions/long?tab=timeline`, { width });
      await lastCall(page).waitFor();
      await page.getByRole('button', { name: 'Search and filter calls' }).click();
      await page.keyboard.type('shelf 148');
      await page.getByText(/^\d of \d+ calls$/).waitFor();
      await page.keyboard.press('Escape');
      expect(await page.getByRole('button', { name: 'Search and filter calls', pressed: true }).count()).toBe(1);
      // A click reaches a tab only if nothing lies over it.
      for (const name of ['Machine', 'Timeline', 'Conversation']) await page.getByRole('tab', { name }).click();
      await page.getByRole('log').getByText('All of it.').waitFor();
      expect(faults).toEqual([]);
    }
  });

  it('gives a narrow window to the views: the plan is one of them, and a call takes their place', async () => {
    const service = await longSession();
    const { page, faults } = await open(`${service.url}/console/sessions/asks?tab=timeline`, { width: 768 });
    await lastCall(page).click();
    await page.getByRole('tab', { name: 'Output' }).waitFor();
    expect(await page.getByRole('tree').count()).toBe(0);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await lastCall(page).waitFor();
    const inspector = page.getByRole('region', { name: 'Inspector' });
    expect(await inspector.count()).toBe(0);
    await page.getByRole('tab', { name: 'Plan' }).click();
    await page.getByRole('region', { name: 'Plan', exact: true }).getByText('Ask', { exact: true }).waitFor();
    // A wider window has it beside the views again.
    await page.setViewportSize({ width: 1_000, height: 900 });
    await inspector.getByText('Ask', { exact: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'Plan' }).count()).toBe(0);
    const widths = await Promise.all(
      [page.getByRole('region', { name: 'Views of this task' }), inspector].map((at) => at.boundingBox()),
    );
    expect(widths[0]!.width).toBeGreaterThan(widths[1]!.width);
    expect(faults).toEqual([]);
  });

  it('opens the row that folds the chosen call', async () => {
    const service = await longSession();
    const { page, faults } = await open(`${service.url}/console/sessions/long?tab=timeline&call=15`);
    const call = page.locator('[role=treeitem][data-seq="15"][aria-selected=true]');
    await call.waitFor();
    expect(await call.textContent()).toMatch(/^Think → todo/);
    // The user may fold it again.
    await page.getByRole('treeitem', { expanded: true }).last().click();
    await call.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});
