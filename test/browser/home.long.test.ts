import { expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

describeInBrowser('the home page of the console', (open) => {
  it('shows a recorded task at its question before the first session, and figures after it', async () => {
    await keptBuild();
    const service = await startService([]);
    const { page, faults } = await open(`${service.url}/console/`);
    await page.getByRole('button', { name: 'Load the demo task' }).click();
    await page.getByText('23 entries; the machine gives the same result for each').waitFor();
    expect(new URL(page.url()).search).toBe('?seq=15');
    await page
      .getByRole('region', { name: 'Inspector' })
      .getByText('The blue mug (MUG-04) arrived broken')
      .first()
      .waitFor();
    expect((await service.get<{ sessions: unknown[] }>('/v1/sessions')).sessions).toEqual([]);

    service.model.answer([plan('Ask'), ask('Which one?')]);
    await service.say('asks', 'Choose one');
    service.model.answer([plan('Look'), done(), { ...answer('It cannot be done.'), outcome: 'failed' }]);
    await service.say('fails', 'Do what cannot be done');
    await page.getByRole('link', { name: /^Inbox/ }).click();
    const figures = page.getByRole('navigation', { name: 'Today' });
    await expect
      .poll(async () => (await figures.getByRole('link').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
      .toEqual(['0 running', '1 wait for you', '1 failed today', expect.stringMatching(/^\d+ tokens today$/)]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await figures.getByRole('link', { name: 'failed today' }).click();
    const sessions = page.getByRole('region', { name: 'Sessions' });
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await sessions.getByText('Do what cannot be done').waitFor();
    expect(faults).toEqual([]);
  });

  it('begins a session with the chosen agent, whose name is in its header, and runs a named plan of it', async () => {
    await keptBuild();
    const agents = { clerk: { description: 'Answers mails' }, cook: { description: 'Knows recipes' } };
    const service = await startService([plan('Cook'), done(), answer('Soup.')], {}, { file: { agents } });
    const { page, faults } = await open(`${service.url}/console/`);
    await page.getByRole('button', { name: 'Agent: clerk' }).click();
    await page.getByRole('menuitem', { name: /^cook/ }).click();
    await page.getByRole('button', { name: 'Agent: cook' }).waitFor();
    await page.locator('#message').fill('Cook something');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Soup.').waitFor();
    await page.getByTitle('The agent of this session').getByText('cook').waitFor();

    const session = new URL(page.url()).pathname.split('/')[3];
    const steps = ['Buy {vegetable}', 'Cook it'];
    await service.post(`/v1/sessions/${session}/plans`, { plan_id: 'soup', title: 'A soup', steps });
    service.model.answer([done('Bought'), replanned('Cook it'), done('Cooked'), answer('Leek soup.')]);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Run a named plan…' }).click();
    await page.getByRole('dialog').getByLabel('vegetable').fill('leek');
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
    await page.getByRole('log').getByText('Leek soup.').waitFor();
    await page.getByRole('region', { name: 'Plan', exact: true }).getByText('Buy leek').waitFor();
    expect(faults).toEqual([]);
  });
});
