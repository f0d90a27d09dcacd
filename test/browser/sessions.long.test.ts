import { expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { act, answer, ask, done, plan, startService } from '../support/service/service.ts';

describeInBrowser('the lists of the console', (open) => {
  it('finds, names, answers and deletes sessions, and asks for nothing that did not change', async () => {
    await keptBuild();
    const one = plan('Buy it');
    const script = [...[one, done(), answer('Found at the harbour')], ...[one, act('todo', 'add milk')]];
    const service = await startService([...script, done(), answer('On the list'), one, ask('Which?')], {
      TRIPACT_APPROVE: 'todo',
    });
    await service.say('fish', 'Buy fish');
    await service.say('milk', 'Buy milk');
    const { page, faults } = await open(`${service.url}/console/`);
    const lists = page.getByRole('navigation', { name: 'Inbox and sessions' });
    const sessions = lists.getByRole('region', { name: 'Sessions' });
    const names = () => sessions.getByRole('listitem').locator('a [dir=auto]').allInnerTexts();
    await expect.poll(names).toEqual(['Buy milk', 'Buy fish']);
    expect(await sessions.locator('[data-state]').evaluateAll((all) => all.map((one) => one.textContent))).toEqual([
      'asks you',
      'done',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.waitForResponse((response) => response.url().includes('/v1/sessions') && response.status() === 304);
    await page.waitForResponse((response) => response.url().includes('/v1/tasks') && response.status() === 304);

    // Words of an answer.
    await sessions.getByLabel('Search sessions').fill('harbour');
    await expect.poll(names).toEqual(['Buy fish']);
    await sessions.getByText('Buy fish').hover();
    await sessions.getByRole('button', { name: 'Rename “Buy fish”' }).click();
    await page.keyboard.type('Dinner');
    await page.keyboard.press('Enter');
    await expect.poll(names).toEqual(['Dinner']);
    await sessions.getByLabel('Search sessions').fill('');
    await expect.poll(names).toEqual(['Buy milk', 'Dinner']);

    const inbox = lists.getByRole('region', { name: 'Waits for you' });
    await inbox.getByText('add milk').waitFor();
    await inbox.getByRole('button', { name: 'Yes' }).click();
    await inbox.getByText('Nothing waits for you.').waitFor();
    await sessions.getByLabel('State').selectOption('done');
    await expect.poll(names).toEqual(['Buy milk', 'Dinner']);

    // By keys alone: the palette, then the lists.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to, or do' }).fill('milk');
    await page.getByRole('option', { name: 'Session Buy milk', selected: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('On the list').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
    await expect.poll(() => page.title()).toBe('Buy milk · Tripact');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.querySelector("[dir=auto]").textContent')).toBe('Dinner');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Found at the harbour').waitFor();
    await page.getByRole('button', { name: 'Share…' }).waitFor();
    await page.getByRole('slider').waitFor();
    expect(asked.filter((path) => path === '/v1/sessions/fish')).toHaveLength(1);
    await sessions.getByText('Dinner').hover();
    await sessions.getByRole('button', { name: 'Delete “Dinner”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(names).toEqual(['Buy milk']);
    expect(new URL(page.url()).pathname).toBe('/console/');
    expect(faults).toEqual([]);
  }, 240_000);
});
