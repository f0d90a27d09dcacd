import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

describeInBrowser('the console', (open) => {
  it('shows a task as it works, asks its question and its approval, and shows the answer', async () => {
    await keptBuild();
    const script = [
      plan('Find out the shop', 'Write it down'),
      { ...ask('Which shop?'), options: ['The market', 'The corner shop'] },
      replanned('Write it down', 'Check the list'),
      act('todo', 'add milk'),
      done('Written down'),
      answer('Milk from the market is on the list.'),
    ];
    const approvals = [
      { tools: 'todo', approval: () => ({ ask: 'Put milk on your list', reason: 'You like to know' }) },
    ];
    const service = await startService(script, {}, { file: { approvals } });
    const { page, faults } = await open(`${service.url}/console/`);
    await page.getByTitle('Answers come from anthropic').waitFor();
    await page.getByRole('button', { name: 'Schedule a call with Ann' }).click();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Schedule a call with Ann');
    await page.getByRole('textbox', { name: 'Message' }).fill('Put milk on the list');
    await page.keyboard.press('Enter');

    const question = page.getByRole('region', { name: 'Question' });
    await question.getByText('Which shop?').waitFor();
    await page.getByRole('region', { name: 'Plan', exact: true }).getByText('Find out the shop').waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) .+ · Tripact$/);

    await page.getByRole('textbox', { name: 'Answer' }).fill('half an answer');
    await page.reload();
    await question.getByText('Which shop?').waitFor();
    expect(await page.getByRole('textbox', { name: 'Answer' }).inputValue()).toBe('half an answer');
    await question.getByRole('button', { name: 'The market' }).click();

    const approval = page.getByRole('region', { name: 'Put milk on your list' });
    expect(await approval.locator('pre').textContent()).toBe('add milk');
    await approval.getByText('You like to know').waitFor();
    await approval.getByRole('button', { name: 'Approve' }).click();
    const log = page.getByRole('log');
    await log.getByText('Milk from the market is on the list.').waitFor();
    await log.getByText('Approved by local (console)').waitFor();
    expect(await log.getByText('The market', { exact: true }).count()).toBe(1);
    await page.getByRole('region', { name: 'How the plan changed' }).getByText('added: Check the list').waitFor();
    expect(faults).toEqual([]);
  });
});
