import { expect, it } from 'vitest';
import type { TaskView } from '../../contracts/turn-view.ts';
import { silence } from '../support/anthropic/answers.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { ask, plan, startService } from '../support/service/service.ts';

/** A session whose task waits for an answer, with two items left. */
const waitingTask = async () => {
  await keptBuild();
  const service = await startService([plan('Find out the shop', 'Write it down'), ask('Which shop?')]);
  const { task_id } = await service.say('shopping', 'Put milk on the list');
  const stepsLeft = async () => {
    const view = (await (await fetch(`${service.url}/v1/tasks/${task_id}`)).json()) as TaskView;
    return view.plan.filter(({ status }) => status !== 'dropped').map(({ step }) => step);
  };
  return { service, stepsLeft };
};

describeInBrowser("a task's plan in the console", (open) => {
  it('counts the time of the item that runs on, and not in the past', async () => {
    await keptBuild();
    const service = await startService([plan('Look', 'Write'), silence()]);
    await service.post('/v1/sessions/s1/turns', { input: 'Look' }, { prefer: 'respond-async' });
    await service.model.asked(2);
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const item = page.getByRole('region', { name: 'Plan', exact: true }).locator('[aria-current="step"]');
    const seconds = async (): Promise<number> => Number(/(\d+) s\b/.exec(await item.innerText())?.[1] ?? -1);
    await expect.poll(seconds).toBeGreaterThan(0);
    const before = await seconds();
    await expect.poll(seconds).toBeGreaterThan(before);
    await page.goto(`${service.url}/console/sessions/s1?seq=2`);
    await item.waitFor();
    await page.getByText('Live').waitFor({ state: 'detached' });
    expect(await seconds()).toBe(-1);
    expect(faults).toEqual([]);
  });

  it('has the sign of an item on the side where its words begin', async () => {
    await keptBuild();
    const service = await startService([plan('اقرأ الطلبات', 'Write it down'), ask('أي متجر؟')]);
    await service.say('s1', 'اقرأ الطلبات');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const items = page.getByRole('region', { name: 'Plan', exact: true }).getByRole('listitem');
    const placesOf = async (place: number) => {
      const item = items.nth(place);
      await item.waitFor();
      const [whole, sign] = await Promise.all([item.boundingBox(), item.locator('svg').boundingBox()]);
      return { before: sign!.x - whole!.x, behind: whole!.x + whole!.width - (sign!.x + sign!.width) };
    };
    expect((await placesOf(0)).behind).toBe(0);
    expect((await placesOf(1)).before).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is edited by the keyboard while the task waits: a step changed, moved, taken out and added', async () => {
    const { service, stepsLeft } = await waitingTask();
    const { page, faults } = await open(`${service.url}/console/sessions/shopping`);
    const items = page.getByRole('region', { name: 'Plan', exact: true }).getByRole('listitem');
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    const [first, last] = [items.first(), items.nth(1)];
    const [pencil, field] = [first.locator('summary'), page.getByRole('textbox', { name: 'Another step' })];
    const [whole, button, end, below] = await Promise.all(
      [first, pencil, last, field].map((each) => each.boundingBox()),
    );
    expect(button!.x + button!.width).toBe(whole!.x + whole!.width);
    expect(button!.y + button!.height).toBeLessThan(whole!.y + whole!.height);
    expect(below!.y - (end!.y + end!.height)).toBe(12);
    const editor = (step: string) => items.filter({ hasText: step }).locator('summary', { hasText: 'Edit…' });

    await editor('Write it down').focus();
    await page.keyboard.press('Enter');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.type(' with its price');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Edit…');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Write it on paper');
    await page.keyboard.press('Enter');
    await expect.poll(stepsLeft).toEqual(['Find out the shop', 'Write it on paper']);

    await editor('Write it on paper').click();
    await items.filter({ hasText: 'Write it on paper' }).getByRole('button', { name: 'Up' }).click();
    await expect.poll(stepsLeft).toEqual(['Write it on paper', 'Find out the shop']);
    await editor('Find out the shop').click();
    await items.filter({ hasText: 'Find out the shop' }).getByRole('button', { name: 'Remove' }).click();
    await expect.poll(stepsLeft).toEqual(['Write it on paper']);
    await page.getByRole('textbox', { name: 'Another step' }).fill('Send it');
    await page.keyboard.press('Enter');
    await items.filter({ hasText: 'Send it' }).first().waitFor();
    expect(await stepsLeft()).toEqual(['Write it on paper', 'Send it']);
    expect(faults).toEqual([]);
  });

  it('stands above the files of the session, which are read, added, and deleted once that is confirmed', async () => {
    const { service } = await waitingTask();
    await fetch(`${service.url}/v1/sessions/shopping/files/shops.md`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: '# The market',
    });
    const { page, faults } = await open(`${service.url}/console/sessions/shopping`);
    const file = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name }) });
    await file('shops.md').getByRole('button', { name: 'shops.md' }).click();
    await page.getByRole('dialog', { name: 'shops.md' }).getByRole('heading', { name: 'The market' }).waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('region', { name: 'Files' })
      .locator('input[type=file]')
      .setInputFiles({
        name: 'prices.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('milk 1.20'),
      });
    await file('prices.txt').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await file('prices.txt').count()).toBe(1);
    await file('prices.txt').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete prices.txt?' }).getByRole('button', { name: 'Delete' }).click();
    await file('prices.txt').waitFor({ state: 'detached' });
    expect((await fetch(`${service.url}/v1/sessions/shopping/files/prices.txt`)).status).toBe(404);
    expect(faults).toEqual([]);
  });
});
