import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { calls } from '../support/anthropic/answers.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { sendTurn } from '../support/service/sent-turn.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

/** A browser, a service and axe together take their time on a machine that does other things besides. */
const TEST_MS_MAX = 600_000;

const SCRIPT = [
  plan('Find out the shop', 'Write it down'),
  ask('Which shop?'),
  replanned('Write it on the list'),
  act('todo', 'add milk'),
  done('Written down'),
  answer('| Shop | Item |\n|---|---|\n| Market | Milk |\n\nIt is on the list.'),
];

const activeState = (page: Page): Promise<string | null> =>
  page.locator('[data-active="true"]').getAttribute('data-state');

/** A finished task: a question, an answer, a tool, the reply. Its trace has eight entries. */
const finishedTask = async (): Promise<{ url: string; address: string }> => {
  await keptBuild();
  const service = await startService(SCRIPT);
  await (await sendTurn(service.url, 'milk', 'Put milk on the list')).finished();
  const { task } = await (await sendTurn(service.url, 'milk', 'The market')).finished();
  return { url: service.url, address: `${service.url}/console/sessions/milk/tasks/${task.id}` };
};

describeInBrowser('a task’s history in the console', (open) => {
  it(
    'lights the state of the entry that the slider is at, draws the path with counts, and names events and guards',
    async () => {
      const { address } = await finishedTask();
      const { page, faults } = await open(`${address}?tab=machine`);
      await page.locator('[data-active="true"][data-state="done"]').waitFor();
      await page
        .locator('[data-edge="open.working.outer.inner.thinking→open.working.outer.inner.acting"][data-count="1"]')
        .waitFor();
      // What was not taken and cannot come next is drawn on request.
      const others = page.locator('[data-edge="open.working.verifying→done"]');
      expect(await others.count()).toBe(0);
      await page.getByRole('button', { name: 'All transitions' }).click();
      await others.waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'All transitions' }).click();
      await others.waitFor({ state: 'detached' });

      const slider = page.getByRole('slider', { name: 'History of the task' });
      await slider.focus();
      await page.keyboard.press('Home');
      await page.locator('[data-active="true"][data-state="open.working.planning"]').waitFor();
      await page.getByRole('button', { name: 'To the next mark' }).click();
      await page.locator('[data-active="true"][data-state="open.awaiting_user"]').waitFor();
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/question/);
      // The plan of an earlier moment knows no later change.
      const changes = page.getByRole('heading', { name: 'How the plan changed' });
      await page.getByRole('tab', { name: 'Conversation' }).click();
      await page.getByText('0 of 2 done · as it was').waitFor();
      expect(await changes.count()).toBe(0);
      await page.getByRole('tab', { name: 'Machine' }).click();

      await page.locator('[data-state="open.working.outer.inner.thinking"]').focus();
      const asked = page.getByRole('listitem').filter({ hasText: 'asksUser' });
      expect(await asked.textContent()).toContain('thought.made');
      expect(await asked.textContent()).toContain('1×');
      expect(await accessibilityFaults(page)).toEqual([]);

      await page.getByRole('button', { name: 'Back to now' }).click();
      await expect.poll(() => page.url()).not.toContain('seq=');
      expect(await activeState(page)).toBe('done');
      await changes.waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it('says on a phone in words where the task is in the machine, and how it came there', async () => {
    const { address } = await finishedTask();
    const { page, faults } = await open(`${address}?tab=machine&seq=3`, { width: 390, language: 'zh' });
    const now = page.getByRole('region', { name: '所处状态' });
    await now.getByText('等待你处理').waitFor();
    await now.getByText('向你提问').waitFor();
    const next = page.getByRole('region', { name: '接下来可能' });
    await next.getByText('你停止它').waitFor();
    // The model asks: no plan and no action waits for a yes.
    await next.getByText('你回答', { exact: true }).waitFor();
    expect(await next.textContent()).not.toMatch(/计划|批准/);
    await page.getByRole('listitem').filter({ hasText: '思考中 → 等待你处理' }).getByText('1 次').waitFor();
    const list = page.getByRole('region', { name: '到目前为止的路径' }).first();
    // What is left where no other way is taken says nothing.
    expect(await list.textContent()).not.toMatch(/[a-z]|其他情况/i);
    expect(faults).toEqual([]);
  });

  it(
    'shows each call with what it changed, and that of a model with its prompt, whole or what changed',
    async () => {
      const { address } = await finishedTask();
      const { page, faults } = await open(`${address}?tab=timeline`, { colorScheme: 'dark' });
      const list = page.getByRole('tree', { name: 'Calls of the task' });
      // The answer's first words, though they stand in a table.
      await list.getByRole('treeitem', { name: /^Answer Shop · Item · Market · Milk/ }).waitFor();
      // A group takes as long as the plan says: its work, without the wait for the user.
      await list
        .getByRole('treeitem', { name: /^Find out the shop/ })
        .getByTitle(/ of work; waited .+ for you$/)
        .waitFor();
      const group = await list.getByRole('treeitem', { name: /^Write it on the list/ }).textContent();
      const [took = ''] = /\d[\d.]* m?s/.exec(group ?? '') ?? [];
      await page
        .getByRole('region', { name: 'Plan', exact: true })
        .getByText(new RegExp(`^${took}\\b`))
        .waitFor();
      await list.getByRole('treeitem', { name: /^Think → asks you/ }).click();
      const part = (name: string) => page.getByRole('tab', { name, exact: true });
      await page.locator('[data-detail="3"]').getByText('Which shop?').waitFor();
      await part('State').click();
      await page.getByText('last_ask_user_question').waitFor();
      await page.locator('[data-detail]').getByText('waits for you').waitFor();
      await part('Prompt').click();
      await page.locator('[data-call]').getByText('Which shop?').first().waitFor();
      await page.getByRole('searchbox', { name: 'Search in the prompt' }).fill('shop');
      await page.locator('mark').first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.getByRole('searchbox', { name: 'Search in the prompt' }).fill('');
      await page.getByRole('button', { name: 'Only what changed' }).click();
      await page
        .locator('[data-call] details[open]')
        .getByText(/lines? as before/)
        .first()
        .waitFor();
      await page.locator('[data-call] [data-change="added"]').first().waitFor();

      await part('State').click();
      await list.focus();
      await page.keyboard.press('End');
      await page.locator('[data-detail]').getByText('pending_final_response').first().waitFor();
      // Looking at a call is no journey through time.
      expect(page.url()).toMatch(/[?&]call=9/);
      expect(page.url()).not.toContain('seq=');
      await page.keyboard.press('[');
      await page.locator('[data-detail="8"]').waitFor();
      await page.getByRole('button', { name: 'Go to this moment' }).click();
      await page.getByText('1 later entry left out').waitFor();
      // The past has nothing of what came later.
      await list.getByRole('treeitem', { name: /^Answer/ }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await list.getByRole('treeitem', { name: /^Answer/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('region', { name: 'Plan', exact: true }).waitFor();
      await page.getByRole('searchbox', { name: 'Search calls' }).fill('add milk');
      await list.getByRole('treeitem', { name: /^todo add milk/ }).waitFor();
      expect(await list.getByRole('treeitem', { name: /^Question/ }).count()).toBe(0);
      await page.getByRole('searchbox', { name: 'Search calls' }).fill('zeppelin');
      await page.getByRole('heading', { name: 'No matching calls' }).waitFor();
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it('opens a finished task at its start, and with the chosen call in view', async () => {
    await keptBuild();
    const shelves = Array.from({ length: 9 }, (_, i) => `Shelf ${i + 1}`);
    const service = await startService([
      plan(...shelves),
      ...shelves.flatMap((shelf, i) => [
        act('todo', `add ${shelf}`),
        done(),
        i < shelves.length - 1 ? replanned(...shelves.slice(i + 1)) : answer('All counted.'),
      ]),
    ]);
    await service.say('shelves', 'Count the shelves');
    const timeline = `${service.url}/console/sessions/shelves?tab=timeline`;
    const { page, faults } = await open(timeline);
    /** Whether a row is in the part of the list that is seen. */
    const isSeen = async (name: RegExp): Promise<boolean> => {
      const list = await page.getByRole('tree').locator('xpath=../..').boundingBox();
      const row = await page.getByRole('treeitem', { name }).first().boundingBox();
      if (list === null || row === null) return false;
      return row.y >= list.y && row.y + row.height <= list.y + list.height;
    };
    await page.getByRole('treeitem', { name: /^Plan/ }).waitFor();
    await expect.poll(() => isSeen(/^Plan/)).toBe(true);
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    await expect.poll(() => isSeen(/^Answer/)).toBe(true);
    const chosen = new URL(page.url()).searchParams.get('call');
    await page.goto(`${timeline}&call=${chosen}`);
    await page.getByRole('treeitem', { name: /^Answer/, selected: true }).waitFor();
    await expect.poll(() => isSeen(/^Answer/)).toBe(true);
    expect(faults).toEqual([]);
  });

  it(
    'shows the tools and the calls of a message once, and from which entry the others are',
    async () => {
      await keptBuild();
      const service = await startService([
        calls([
          ['plan', { items: ['Milk'] }],
          ['todo', { input: 'add milk' }],
        ]),
        calls([['finish', { response: 'Milk is on it.' }]]),
      ]);
      const { task_id } = await service.say('s1', 'Note milk');
      const kept = () => service.get<{ calls: unknown[] }>(`/v1/tasks/${task_id}/calls`);
      await expect.poll(async () => (await kept()).calls).toHaveLength(2);
      const { page, faults } = await open(`${service.url}/console/sessions/s1/tasks/${task_id}?tab=timeline&call=3`);
      // The message's second call has no call of a model: that thought is of the second message.
      const tree = page.getByRole('tree');
      await tree.getByRole('treeitem', { name: /^todo add milk/ }).waitFor();
      expect(await tree.getByRole('treeitem', { name: /^Think/ }).count()).toBe(1);
      await page.locator('[data-detail="3"]').getByText('add milk').first().waitFor();
      await page.getByRole('tab', { name: 'Prompt', exact: true }).click();
      await page.getByText('No call was made: the message of entry 2 already contained this.').waitFor();
      const shown = page.locator('[data-call]');
      await shown.getByText('Calls todo').waitFor();
      await shown.getByText('"input": "add milk"').waitFor();
      await shown.getByText('tools to choose from').click();
      await shown.getByText('"type": "object"').first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
