import { expect, it } from 'vitest';
import { silence } from '../support/anthropic/answers.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { startMortal } from '../support/service/mortal-service.ts';
import { act, answer, ask, done, plan, replanned } from '../support/service/service.ts';

describeInBrowser('the console of a service that is killed', (open) => {
  it('goes on by itself where the service does, and what was sent meanwhile is taken once', async () => {
    await keptBuild();
    const service = await startMortal();
    const { model } = service;
    model.answer([plan('Write it down', 'Check it'), act('todo', 'add milk'), silence()]);
    const { page, faults } = await open(`${service.url}/console/sessions/shop`);
    const field = page.locator('#message');
    const log = page.getByRole('log');
    await field.fill('Put milk on the list');
    await field.press('Enter');
    await log.locator('summary', { hasText: 'Added a todomilk' }).waitFor();
    await model.asked(3);

    await service.kill();
    await page.getByText('Connection lost; reconnecting').waitFor();
    await field.fill('/todo add bread');
    await field.press('Escape');
    await field.press('Enter');
    await page.getByText('Sending…').waitFor();
    model.answer([done('Written'), replanned('Check it'), ask('Is bread wanted too?')]);
    await service.start();

    await page.getByRole('region', { name: 'Question' }).getByText('Is bread wanted too?').waitFor();
    await log.getByText('Added #2 bread').waitFor();
    expect(await log.getByText('/todo add bread').count()).toBe(1);
    await page.getByText('Connection lost; reconnecting').waitFor({ state: 'detached' });

    await service.killAndStart();
    await page.reload();
    model.answer([replanned('Check it'), done(), answer('Milk and bread are on the list.')]);
    await page.getByRole('textbox', { name: 'Answer' }).fill('Yes, bread too');
    await page.keyboard.press('Enter');
    await log.getByText('Milk and bread are on the list.').waitFor();
    expect((await service.say('shop', '/todo list')).output).toMatch(/\(2\)/);
    expect(faults).toEqual([]);
  });
});
