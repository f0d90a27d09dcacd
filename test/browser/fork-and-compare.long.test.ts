import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

beforeAll(() => keptBuild());

/** A service with a task that asked, was answered "The market" and is done. */
const answeredTask = async (env: Record<string, string> = {}, parts: Parameters<typeof startService>[2] = {}) => {
  const service = await startService(
    [
      plan('Find out the shop', 'Write it down'),
      act('todo', 'add look for shops'),
      { ...ask('Which shop?'), options: ['The market', 'The corner shop'] },
      replanned('Write it down'),
      act('todo', 'add milk from the market'),
      done('Written down'),
      answer('Milk from the market is on the list.'),
    ],
    env,
    parts,
  );
  const { task_id } = await service.say('shopping', 'Put milk on the list');
  await service.say('shopping', 'The market');
  return { service, task: String(task_id), path: `${service.url}/console/sessions/shopping/tasks/${task_id}?tab=plan` };
};

const otherwise = (service: Service): void =>
  service.model.answer([
    replanned('Write it down'),
    act('todo', 'add milk from the corner shop'),
    done('Written down'),
    answer('Milk from the corner shop is on the list.'),
  ]);

/** Opens a dialog of the task's actions, in either language. */
const openDialog = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
};

describeInBrowser('the console with a task that is over', (open) => {
  it('forks it at its question with another answer, says before what that means, and compares the two', async () => {
    const { service, path } = await answeredTask();
    const { page, faults } = await open(path);
    const dialog = await openDialog(page, 'Fork');
    await dialog.getByText('add milk from the market').waitFor();
    const part = (name: string) => dialog.locator(`[data-part="${name}"]`);
    expect(await part('recalled').textContent()).toContain('add look for shops');
    expect(await part('left').textContent()).toMatch(/todo add milk from the market\s*changes something/);
    // What the fork does is there whole, and right below it what the answers are for.
    const options = dialog.getByRole('group', { name: 'Which shop?' });
    for (const width of [390, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      const question = await dialog.getByText('Which shop?', { exact: true }).boundingBox();
      const left = await part('left').boundingBox();
      expect(question!.y - (left!.y + left!.height), `at ${width}`).toBeGreaterThan(0);
      expect(question!.y - (left!.y + left!.height), `at ${width}`).toBeLessThan(24);
      expect((await options.boundingBox())!.y - (question!.y + question!.height), `at ${width}`).toBeLessThan(24);
    }
    expect(await dialog.getByRole('button', { name: 'Fork', exact: true }).isDisabled()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    otherwise(service);
    await dialog.getByRole('button', { name: 'The corner shop' }).click();
    await dialog.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.getByRole('log').getByText('Milk from the corner shop is on the list.').waitFor();
    expect(service.model.requests.at(7)?.body.messages.at(-1)?.content).toContain('The corner shop');

    const from = page.getByRole('log').getByRole('link', { name: 'Put milk on the list' });
    expect(await from.getAttribute('href')).toContain('/console/sessions/shopping/tasks/');
    await page.getByRole('link', { name: 'Compare with the original' }).click();
    const original = page.getByRole('region', { name: 'Original' });
    await original.getByText('Milk from the market is on the list.').waitFor();
    await page
      .getByRole('region', { name: 'Fork', exact: true })
      .getByText('Milk from the corner shop is on the list.')
      .waitFor();
    const first = page.getByRole('region', { name: 'First difference' });
    await first.getByRole('heading', { name: 'First difference Your answer' }).waitFor();
    expect(await first.locator('del').innerText()).toContain('market');
    expect(await first.locator('ins').innerText()).toContain('corner shop');
    await page.getByText(/fields? that differs?$/).click();
    await page
      .getByRole('row', { name: /event\.text/ })
      .getByText('The corner shop')
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const deep = await open(page.url(), { width: 360, language: 'zh', colorScheme: 'dark' });
    await deep.page.getByRole('region', { name: '原任务' }).getByText('Milk from the market is on the list.').waitFor();
    expect(await accessibilityFaults(deep.page)).toEqual([]);
    expect([...faults, ...deep.faults]).toEqual([]);
  });

  it('says in the budget of a fork what of it was spent before, which the list of sessions does not count', async () => {
    const prices = { currency: 'EUR', models: { m: { input: 2_000, output: 2_000 } } };
    const { service, task } = await answeredTask({ TRIPACT_MODEL: 'anthropic:m' }, { file: { prices } });
    otherwise(service);
    await service.post(`/v1/tasks/${task}/fork`, { at: 5, input: 'The corner shop', session_id: 'corner' });
    const { page, faults } = await open(`${service.url}/console/sessions/corner`);
    await page.getByRole('log').getByText('Milk from the corner shop is on the list.').waitFor();
    await page.getByTitle('Show the budget').click();
    const budget = page.getByRole('region', { name: 'Budget' });
    await budget.getByText('Spent before the fork: 45 tokens · €0.090').waitFor();
    await budget.getByText('€0.21').waitFor();
    await page.locator('[data-session="corner"]', { hasText: '€0.12' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${service.url}/console/sessions/shopping`);
    await page.getByTitle('Show the budget').click();
    await budget.getByText('€0.21').waitFor();
    expect(await budget.getByText('Spent before the fork').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('gives it as curl, trace and test, and as one page that opens without a service', async () => {
    const { service, task, path } = await answeredTask();
    const { page, faults } = await open(path);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const dialog = await openDialog(page, 'Share');
    const copied = async (name: string): Promise<string> => {
      await page.evaluate('navigator.clipboard.writeText("nothing yet")');
      await dialog.getByRole('button', { name }).click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).not.toBe('nothing yet');
      return String(await page.evaluate('navigator.clipboard.readText()'));
    };
    const trace = await (await fetch(`${service.url}/v1/tasks/${task}/trace`)).text();
    expect(await dialog.getByRole('button').allInnerTexts()).toContain('Copy link');
    expect(await copied('Copy link')).toBe(path);
    expect(await copied('As NDJSON')).toBe(trace);
    expect(await copied('As a vitest test')).toContain('it("replays: Put milk on the list"');
    expect(await copied('As curl')).toContain(`curl -sS '${service.url}/v1/sessions/shopping/turns'`);
    const saved = async (name: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name, exact: true }).click(),
      ]);
      return download.path();
    };
    expect(readFileSync(await saved('Trace'), 'utf8')).toBe(trace);
    const html = readFileSync(await saved('HTML page'), 'utf8');
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.goto(`${service.url}/console/trace`);
    await page.locator('input[type=file]').setInputFiles({
      name: `${task}.html`,
      mimeType: 'text/html',
      buffer: Buffer.from(html),
    });
    const count = trace.trimEnd().split('\n').length;
    await page.getByText(`${count} entries; the machine gives the same result for each`).waitFor();

    const alone = await open('about:blank');
    const asked: string[] = [];
    alone.page.on('request', (request) => asked.push(request.url()));
    await alone.page.setContent(html);
    await alone.page.getByRole('heading', { name: 'Put milk on the list' }).waitFor();
    await alone.page.getByText('2 plan.made').click();
    await alone.page.getByText(/Model call · plan/).click();
    await alone.page.getByText('Due: plan').first().waitFor();
    expect(asked).toEqual([]);
    expect([...faults, ...alone.faults]).toEqual([]);
  });
});
