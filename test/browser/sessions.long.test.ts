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
    const prices = { currency: 'EUR', models: { m: { input: 1_000, output: 1_000 } } };
    const service = await startService(
      [...script, done(), answer('On the list'), one, ask('Which?')],
      { TRIPACT_APPROVE: 'todo', TRIPACT_MODEL: 'anthropic:m' },
      { file: { prices } },
    );
    await service.say('fish', 'Buy fish');
    await service.say('milk', 'Buy milk');
    const { page, faults } = await open(`${service.url}/console/sessions`);
    const lists = page.getByRole('navigation', { name: 'Inbox and sessions' });
    const sessions = lists.getByRole('region', { name: 'Sessions' });
    const waits = lists.getByRole('region', { name: 'Waits for you' });
    const names = () => sessions.getByRole('listitem').locator('a [dir=auto]').allInnerTexts();
    // What waits is on top, and once.
    await expect.poll(names).toEqual(['Buy fish']);
    await waits.getByRole('link', { name: /May “todo” run\?\s*Approval/ }).waitFor();
    expect(await sessions.locator('[data-state]').evaluateAll((all) => all.map((one) => one.textContent))).toEqual([
      'done',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.waitForResponse((response) => response.url().includes('/v1/sessions') && response.status() === 304);
    await page.waitForResponse((response) => response.url().includes('/v1/tasks') && response.status() === 304);

    // Words of an answer.
    await page.keyboard.press('/');
    await page.keyboard.type('harbour');
    await expect.poll(names).toEqual(['Buy fish', 'Found at the harbour']);
    expect(await sessions.locator('mark').allInnerTexts()).toEqual(['harbour']);
    await sessions.getByText('Buy fish').hover();
    await sessions.getByRole('button', { name: 'Rename “Buy fish”' }).click();
    await page.keyboard.type('Dinner');
    await page.keyboard.press('Enter');
    await expect.poll(names).toEqual(['Dinner', 'Found at the harbour']);
    await page.getByLabel('Search sessions').fill('');

    await page.getByRole('link', { name: /^Inbox/ }).click();
    const inbox = page.getByRole('region', { name: 'Waits for you' });
    await inbox.getByText('add milk').waitFor();
    await inbox.getByRole('button', { name: 'Approve' }).click();
    await inbox.getByText('Nothing waits for you.').waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await lists.getByRole('button', { name: 'Filter' }).click();
    await lists.getByLabel('State').selectOption('done');
    await lists.getByLabel('Date').selectOption('Today');
    await expect.poll(names).toEqual(['Buy milk', 'Dinner']);
    await page.keyboard.press('Escape');
    await lists.getByRole('button', { name: 'State: done' }).click();
    await lists.getByRole('button', { name: 'Today' }).click();

    // By a tool, and by a cost: of four calls, and of three. The address says so, and a reload keeps it.
    await lists.getByRole('button', { name: 'Filter' }).click();
    await lists.getByLabel('Tool').selectOption('todo');
    await expect.poll(names).toEqual(['Buy milk']);
    await lists.getByLabel('Tool').selectOption('Every tool');
    await lists.getByLabel('Cost').selectOption('€0.010 or more');
    await expect.poll(names).toEqual(['Buy milk', 'Dinner']);
    await lists.getByLabel('Another amount').fill('0,05');
    await page.keyboard.press('Enter');
    await expect.poll(names).toEqual(['Buy milk']);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).search).toBe('?cost=0.05');
    await page.reload();
    await lists.getByRole('button', { name: 'Cost: €0.050 or more' }).waitFor();
    await expect.poll(names).toEqual(['Buy milk']);
    await sessions.getByText('Buy milk').click();
    await page.waitForURL(/\/sessions\/milk\?cost=0\.05$/);
    await lists.getByRole('button', { name: 'Cost: €0.050 or more' }).click();
    await page.waitForURL(/\/sessions\/milk$/);
    await page.getByRole('link', { name: 'Sessions' }).click();

    // By keys alone: the palette, then the lists.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to, or do' }).fill('milk');
    await page.getByRole('option', { name: 'Buy milk', selected: true }).waitFor();
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
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await page.getByRole('slider').waitFor();
    expect(asked.filter((path) => path === '/v1/sessions/fish')).toHaveLength(1);
    await sessions.getByText('Dinner').hover();
    await sessions.getByRole('button', { name: 'Delete “Dinner”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(names).toEqual(['Buy milk']);
    expect(new URL(page.url()).pathname).toBe('/console/sessions');
    expect(faults).toEqual([]);
  }, 240_000);

  it('names in the palette each task that waits once, the newest first', async () => {
    await keptBuild();
    const service = await startService([plan('Milk her'), done(), answer('Milked.')]);
    await service.say('cow', 'Milk the cow');
    service.model.answer([plan('Ask'), ask('Which milk?'), plan('Ask'), ask('Which tea?')]);
    await service.say('milk', 'Put milk on the list');
    await service.say('tea', 'Put tea on the list');
    const { page, faults } = await open(`${service.url}/console/`);
    await page.getByRole('region', { name: 'Waits for you' }).getByText('Which milk?').waitFor();
    await page.keyboard.press('Control+k');
    const waits = page.getByRole('group', { name: 'Waits for you' }).getByRole('option');
    await expect
      .poll(() => waits.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Which tea\?\s+Put tea on the list$/),
        expect.stringMatching(/^Which milk\?\s+Put milk on the list$/),
      ]);
    await page.getByRole('combobox', { name: 'Go to, or do' }).fill('milk');
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual([expect.stringMatching(/^Which milk\?/), 'Milk the cow']);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/milk\/tasks\//);
    expect(faults).toEqual([]);
  }, 240_000);

  it('shows below a session the words that a search found, unless its title has them', async () => {
    await keptBuild();
    const said = 'The mug is on its way.\n\n## Why it is **not** finished';
    const service = await startService([plan('Refund'), done(), answer(said)]);
    await service.say('order', 'The order 1043 arrived broken. Refund it and tell the customer.');
    const { page, faults } = await open(`${service.url}/console/sessions`);
    const row = page.locator('[data-session="order"]');
    const found = row.locator(':scope > [dir=auto]');
    await page.getByLabel('Search sessions').fill('finished');
    await expect.poll(() => found.nth(1).textContent()).toBe('… Why it is not finished');
    await page.getByLabel('Search sessions').fill('refund');
    await row.locator('mark').getByText('Refund').waitFor();
    await expect
      .poll(() => found.allTextContents())
      .toEqual(['The order 1043 arrived broken. Refund it and tell the customer.']);
    expect(faults).toEqual([]);
  }, 240_000);

  it('takes a deletion back for a while, and deletes several at once even if the page is left', async () => {
    await keptBuild();
    const counted = (said: string) => [plan('Count'), done(), answer(said)];
    const service = await startService([...counted('One'), ...counted('Two'), ...counted('Three')]);
    for (const session of ['one', 'two', 'three']) await service.say(session, `Count to ${session}`);
    const stored = async () => {
      const { sessions } = await service.get<{ sessions: { session_id: string }[] }>('/v1/sessions');
      return sessions.map(({ session_id }) => session_id);
    };
    const { page, faults } = await open(`${service.url}/console/sessions/one`);
    const rows = page.getByRole('navigation', { name: 'Inbox and sessions' }).locator('[data-session] .name');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“Count to one” is deleted').waitFor();
    await expect.poll(() => rows.allTextContents()).toEqual(['Count to three', 'Count to two']);
    await page.keyboard.press('z');
    await expect.poll(() => rows.allTextContents()).toEqual(['Count to three', 'Count to two', 'Count to one']);
    await page.getByRole('log').getByText('One', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Choose several sessions' }).click();
    await page.getByRole('checkbox', { name: 'Choose “Count to one”' }).check();
    await rows.getByText('Count to three').click();
    await page.getByText('2 chosen').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page
      .getByRole('toolbar', { name: 'Choose several sessions' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('dialog', { name: 'Delete 2 sessions?' }).getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rows.allTextContents()).toEqual(['Count to two']);
    await page.goto('about:blank');
    await expect.poll(stored).toEqual(['two']);
    expect(faults).toEqual([]);
  });

  it('offers a yes to an action only below its whole input, which nothing cuts', async () => {
    await keptBuild();
    const service = await startService([], { TRIPACT_APPROVE: 'todo' });
    const inputs = {
      short: 'add milk',
      lines: 'add pay\nto the shop\nfor wood\n19,000 euros',
      spaced: `add pay ${'\u00a0'.repeat(2_000)} 19,000 euros`,
      wide: `add pay ${'0'.repeat(400)}`,
    };
    for (const [session, input] of Object.entries(inputs)) {
      service.model.answer([plan('Shop'), act('todo', input)]);
      await service.say(session, `Do ${session}`);
    }
    const { page, faults } = await open(`${service.url}/console/`);
    const inbox = page.getByRole('region', { name: 'Waits for you' });
    const card = inbox.getByRole('region', { name: 'May “todo” run?' });
    const cut = 'element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1';
    const isCut = `[...document.querySelectorAll('[data-asked], [data-asked] *')].some((element) => ${cut})`;
    const isBelow = `document.querySelector('[data-asked] footer').getBoundingClientRect().top >= document.querySelector('[data-asked] pre').getBoundingClientRect().bottom`;
    // The newest is on top, and shown.
    const newestFirst = Object.entries(inputs).toReversed();
    for (const width of [1_440, 800]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [place, [session, input]] of newestFirst.entries()) {
        await inbox.getByRole('listitem').nth(place).getByRole('link').click();
        await inbox.getByText(`Do ${session}`).waitFor();
        expect(await card.locator('pre').textContent()).toBe(input);
        expect(await page.evaluate(isCut)).toBe(false);
        expect(await page.evaluate(isBelow)).toBe(true);
        expect(await card.getByRole('button', { name: 'Approve' }).count()).toBe(1);
      }
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    // A phone's list only leads to the card.
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(`${service.url}/console/`);
    await inbox.getByRole('link').first().waitFor();
    expect(await inbox.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await inbox.getByRole('link').first().click();
    await page.getByRole('log').getByRole('button', { name: 'Approve' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows a text that is too deep for Markdown as plain text, and keeps the neighbours of a part that cannot be shown', async () => {
    await keptBuild();
    const service = await startService([]);
    const deep = {
      quotes: '>'.repeat(4_000),
      lists: `${'- '.repeat(1_500)}a`,
      emphasis: `${'*a '.repeat(600)}${'b*'.repeat(600)}`,
    };
    for (const [session, question] of Object.entries({ ...deep, plain: 'Which **one**?' })) {
      service.model.answer([plan('Ask'), ask(question)]);
      await service.say(session, `Do ${session}`);
    }
    for (const session of ['told', 'asked']) await service.say(session, '/help');
    const { page, faults } = await open(`${service.url}/console/`);
    const inbox = page.getByRole('region', { name: 'Waits for you' });
    for (const question of Object.values(deep)) await inbox.getByRole('link').getByText(question).waitFor();
    await inbox.getByRole('link').locator('strong').getByText('one').waitFor();
    await inbox.getByRole('link').getByText(deep.quotes).click();
    await page.getByRole('region', { name: 'Question' }).getByText(deep.quotes).waitFor();
    expect(faults).toEqual([]);

    // A service that says what this console can't draw: a row of each list, a turn, and a whole pane.
    const broken = (path: string, change: (body: string) => string): Promise<unknown> =>
      page.route(`**${path}`, async (route) => {
        const { pathname, search } = new URL(route.request().url());
        await route.fulfill({ json: JSON.parse(change(JSON.stringify(await service.get(pathname + search)))) });
      });
    await broken('/v1/tasks?*', (body) => body.replace(/("since":)"[^"]*"/, '$1"never"'));
    await broken('/v1/sessions?*', (body) => body.replace('"queue":[]', '"queue":null'));
    await broken('/v1/sessions/plain/turns?*', (body) => body.replace('"kind":', '"decision":null,"kind":'));
    await broken('/v1/tasks/*', (body) => body.replace('"plan":', '"steps":'));
    await page.goto(`${service.url}/console/sessions/plain`);
    const sessions = page.getByRole('region', { name: 'Sessions' });
    for (const [list, left] of [
      [inbox, 3],
      [sessions, 1],
    ] as const) {
      await list.getByRole('alert').getByText('This could not be shown').waitFor();
      expect(await list.getByRole('listitem').getByRole('link').count()).toBe(left);
    }
    await page.getByRole('log').getByRole('alert').waitFor();
    await page.getByRole('region', { name: 'Inspector' }).getByRole('alert').waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('tree', { name: 'Calls of the task' }).waitFor();
    // Its width is the timeline's: the rail opens the list over it.
    await sessions.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Sessions' }).click();
    await sessions.getByRole('alert').getByText('This could not be shown').waitFor();
    await page.unroute('**/v1/sessions?*');
    await service.say('mended', '/help');
    await sessions.getByText('mended').waitFor();
    await sessions.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => sessions.getByRole('listitem').getByRole('link').count()).toBe(3);
    expect(faults.filter((fault) => !/^(RangeError|TypeError)/.test(fault))).toEqual([]);
  });
});
