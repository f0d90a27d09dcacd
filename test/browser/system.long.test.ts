import { beforeAll, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';
import { answer, startService } from '../support/service/service.ts';

beforeAll(() => keptBuild());

describeInBrowser("the console's system screen", (open) => {
  it('lets an operator add and revoke keys and set a quota, and nobody else', async () => {
    const keys = { TRIPACT_API_KEYS: 'ops:key-of-ops-0123456789,ada:key-of-ada-0123456789', TRIPACT_OPERATORS: 'ops' };
    const prices = { currency: 'EUR', models: { m: { input: 1, output: 1 } } };
    const service = await startService([], keys, { file: { prices } });
    const show = async (key: string) => {
      const { page, faults } = await open(`${service.url}/console/system?tab=keys`);
      await page.locator('input[type=password]').fill(key);
      await page.keyboard.press('Enter');
      return { page, faults };
    };
    const ada = await show('key-of-ada-0123456789');
    await ada.page.getByText('Keys are for operators').waitFor();

    const { page, faults } = await show('key-of-ops-0123456789');
    const form = page.getByRole('form', { name: 'Add a key' });
    const owner = form.getByLabel('Owner');
    await owner.fill('Carol Smith');
    await form.getByRole('button').click();
    expect(await owner.evaluate((field: { title: string }) => field.title)).toMatch(/letters, digits, hyphens/);
    const made = page.getByRole('status').filter({ hasText: 'The new key of carol. It is shown only this once' });
    expect(await made.count()).toBe(0);
    await form.getByLabel('Role').selectOption('front end');
    await form.getByText('A front end serves many users with one key.').waitFor();
    // The service refuses roles of one.
    expect(await form.getByLabel('May approve as').count()).toBe(0);
    await form.getByLabel('Role').selectOption('user');
    await owner.fill('carol');
    await form.getByLabel('May approve as').fill('finance, support');
    await form.getByLabel(/Days/).fill('30');
    await form.getByRole('button').click();
    const key = String(await made.locator('code').textContent());
    const asCarol = () => fetch(`${service.url}/v1/sessions`, { headers: { 'x-api-key': key } });
    expect((await asCarol()).status).toBe(200);

    await page.getByRole('button', { name: 'Quota of carol…' }).click();
    await page.getByRole('dialog').getByLabel('Turns a day').fill('5');
    await page.getByRole('dialog').getByLabel('Money a day').fill('2.50');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /carol/ });
    await row.getByText('0 / 5').waitFor();
    await row.getByText('0 / 2.50').waitFor();
    await row.getByText('finance, support').waitFor();
    await row.getByText('in 29 days').waitFor();
    const id = String(await row.locator('code').textContent());
    expect(await page.getByText('Keys in TRIPACT_API_KEYS are not listed.').count()).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText(`Revoke ${id}, a key of carol?`).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No key is stored').waitFor();
    expect((await asCarol()).status).toBe(401);
    // On a phone the last of the tabs is in view, because the address names it.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Tools' }).click();
    await page.keyboard.press('End');
    expect((await page.getByRole('tab', { name: 'API keys' }).boundingBox())?.x).toBeLessThan(330);
    expect([...faults, ...ada.faults]).toEqual([]);
  });

  it('lists callbacks with why they failed, and posts one again', async () => {
    const receiver = await startReceiver();
    const service = await startService([answer('It is noon.')], LOCAL_RECEIVER);
    receiver.refuseNext(410);
    await service.say('clock', 'What time is it?', { callback_url: receiver.url });
    const { page, faults } = await open(`${service.url}/console/system?tab=callbacks`);
    const row = page.getByRole('row').filter({ hasText: receiver.url });
    await row.getByText(/given up · 1 post/).waitFor();
    await row.getByRole('button', { name: 'Post again' }).click();
    const [first, second] = await receiver.posts(2);
    expect(second?.id).toBe(first?.id);
    const states = async () =>
      (await service.get<{ callbacks: { state: string }[] }>('/v1/callbacks')).callbacks.map(({ state }) => state);
    await expect.poll(states).toEqual(['delivered']);
    await page.reload();
    await row.getByText(/delivered/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('tries a tool with a form, and one that writes only with an explicit yes', async () => {
    const service = await startService([]);
    const { page, faults } = await open(`${service.url}/console/system?tab=tools`);
    await page.getByRole('button', { name: 'Try todo', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Try todo' });
    await dialog.getByLabel('Input').fill('add milk');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    expect(await service.get('/v1/todos')).toMatchObject({ todos: [] });
    await dialog.getByLabel(/may change something/).check();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByRole('region', { name: 'Result' }).getByText(/milk/).waitFor();
    expect(await service.get('/v1/todos')).toMatchObject({ todos: [{ text: 'milk' }] });
    // The next run needs a yes of its own.
    expect(await dialog.getByLabel(/may change something/).isChecked()).toBe(false);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'All that was tried' }).click();
    await page.getByRole('log').getByText('/tool todo add milk').waitFor();
    expect(faults).toEqual([]);
  });

  it('lists goals with the session and the time to come, and deletes one', async () => {
    const service = await startService([]);
    await service.say('kitchen', '/schedule goal in 3 hours Make tea');
    const { page, faults } = await open(`${service.url}/console/system?tab=goals`);
    const row = page.getByRole('row').filter({ hasText: 'Make tea' });
    await row.getByText(/^in [23] h$/).waitFor();
    expect(await row.getByRole('link', { name: 'kitchen' }).getAttribute('href')).toMatch(/sessions\/kitchen$/);
    expect(await accessibilityFaults(page)).toEqual([]);
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No goal is scheduled').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No goal is scheduled').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await expect.poll(() => service.get('/v1/goals'), { timeout: 20_000 }).toMatchObject({ goals: [] });
    await page.getByText('No goal is scheduled').waitFor();
    expect(faults).toEqual([]);
  });

  it('makes and edits a goal with a form that is checked as one types', async () => {
    const service = await startService([]);
    const { page, faults } = await open(`${service.url}/console/system?tab=goals`);
    const goals = async () => (await service.get<{ goals: object[] }>('/v1/goals')).goals;
    await page.getByRole('button', { name: 'New goal' }).click();
    const dialog = page.getByRole('dialog', { name: 'New goal' });
    const save = dialog.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByLabel('What should be done').fill('Read the news');
    const session = dialog.getByLabel('In the session');
    await session.fill('my news');
    await dialog.getByText('Letters, digits, _ and -, 64 at most').waitFor();
    expect(await session.getAttribute('aria-invalid')).toBe('true');
    await session.fill('news');
    const when = dialog.getByLabel('When', { exact: true });
    await when.fill('some day');
    await expect.poll(() => when.getAttribute('aria-invalid')).toBe('true');
    expect(await save.isDisabled()).toBe(true);
    await when.fill('2031-05-01 09:00');
    await dialog.getByText('Next: May 1, 2031, 09:00').waitFor();
    await dialog.getByLabel('Times in all').fill('0');
    await dialog.getByText('At least 1').waitFor();
    await dialog.getByLabel('Times in all').fill('');
    await dialog.getByLabel('Every so many minutes').fill('1440');
    await dialog.getByText('May 2, 2031').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await save.click();
    const row = page.getByRole('row').filter({ hasText: 'Read the news' });
    await row.getByText('every 1440 min').waitFor();
    expect(await goals()).toMatchObject([{ session_id: 'news', goal: 'Read the news', interval_minutes: 1_440 }]);

    await row.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit the goal' });
    await edit.getByText('Empty: as it is, next on May 1, 2031').waitFor();
    await edit.getByLabel('What should be done').fill('Read the paper');
    await edit.getByLabel('Times in all').fill('3');
    await edit.getByText('Only with new times').waitFor();
    await edit.getByLabel('Times in all').fill('');
    expect(await accessibilityFaults(page)).toEqual([]);
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Read the paper' }).getByText('every 1440 min').waitFor();
    expect(await goals()).toMatchObject([{ goal: 'Read the paper', interval_minutes: 1_440 }]);
    expect(faults).toEqual([]);
  });

  it('signs out: nothing of the key or of what it showed is left, and the page asks for one', async () => {
    const service = await startService([], { TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789' });
    const { page, faults } = await open(`${service.url}/console/`);
    const field = page.getByLabel('API key');
    await field.fill('key-of-ada-0123456789');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'ada' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('a secret draft');
    await page.getByRole('button', { name: 'ada' }).click();
    await page.getByText('ada · user').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await field.waitFor();
    expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toMatch(
      /secret|key-of-ada/,
    );
    expect(await page.getByRole('button', { name: 'ada' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
