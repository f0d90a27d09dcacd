import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { TurnView } from '../../contracts/turn-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { createAskingServer, type Desk } from '../support/mcp/asking-server.ts';
import { serveSample } from '../support/mcp/http-server.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';

const OPS = 'key-of-ops-0123456789';
const ADA = 'key-of-ada-0123456789';

/** A tool that pays back, and what it paid. */
const createRefund = (approvers?: string[]) => {
  const paid: unknown[] = [];
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds an order.',
    input: z.object({
      amount: z.number().max(100).describe('In euros'),
      order: z.string(),
      reason: z.string(),
      notify: z.boolean().optional(),
    }),
    approval: ({ amount, order }) => ({ ask: `Refund ${amount} € for order ${order}`, reason: 'Above 10 €' }),
    ...(approvers && { approvers }),
    run: (input) => {
      paid.push(input);
      return 'refunded';
    },
  });
  return { refund, paid };
};

const INPUT = { amount: 19.5, order: '1043', reason: `The mug broke.${' It is cracked.'.repeat(20)}` };
const refunding = [plan('Refund'), act('refund', JSON.stringify(INPUT)), done('Paid'), answer('Refunded.')];

const giveKey = async (page: Page, key: string): Promise<void> => {
  const field = page.getByRole('textbox', { name: 'API key' });
  await field.fill(key);
  await field.press('Enter');
};

describeInBrowser('a card that asks', (open) => {
  it('shows an input as rows, has them edited as fields by the schema, and runs what was shown', async () => {
    await keptBuild();
    const { refund, paid } = createRefund();
    const service = await startService(refunding, {}, { file: { tools: [refund] } });
    await service.say('s1', 'Refund order 1043');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const card = page.getByRole('region', { name: 'Refund 19.5 € for order 1043' });
    await card.getByText('Above 10 €').waitFor();
    await expect.poll(() => card.getByRole('term').allInnerTexts()).toEqual(['Amount', 'Order', 'Reason']);
    expect(await card.getByRole('definition').allInnerTexts()).toEqual(['19.50 in euros', '1043', INPUT.reason]);
    await card.getByRole('button', { name: 'Raw' }).click();
    expect(await card.locator('pre').textContent()).toBe(JSON.stringify(INPUT));
    await card.getByRole('button', { name: 'Always' }).click();
    await page.getByRole('menuitem', { name: 'Set a policy…' }).click();
    const policy = page.getByRole('dialog', { name: 'A policy for “refund”' });
    await policy.getByText(`approval: (input) => (input.amount <= 19.5 ? 'run' : 'ask') }],`).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await policy.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Edit' }).click();
    const amount = card.getByLabel('Amount');
    const run = card.getByRole('button', { name: 'Run with these' });
    await amount.fill('nineteen');
    await card.getByText('A number, such as 19.90').waitFor();
    expect(await run.isDisabled()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await amount.fill('101');
    await card.getByText('At most 100').waitFor();
    await amount.fill('9.95');
    await card.getByLabel('Notify').check();
    await run.click();
    await page.getByRole('log').getByText('Refunded.').waitFor();
    expect(paid).toEqual([{ ...INPUT, amount: 9.95, notify: true }]);
    const decided = page.getByRole('log').locator('summary', { hasText: 'Approved with an edit by local (console)' });
    await decided.getByText('Refund 19.5 € for order 1043').waitFor();
    await decided.getByText('Amount 19.50 → 9.95').waitFor();
    // One line of it is all that is left; the input that ran is a click away.
    expect(await page.getByRole('log').getByRole('definition').count()).toBe(0);
    expect(await page.getByRole('log').getByText('Asked').count()).toBe(0);
    await decided.click();
    await expect.poll(() => page.getByRole('log').getByRole('definition').first().innerText()).toBe('9.95 in euros');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is approved by Enter only while the card itself has the focus, and never by Ctrl Enter', async () => {
    await keptBuild();
    const { refund, paid } = createRefund();
    const service = await startService(refunding, {}, { file: { tools: [refund] } });
    await service.say('s1', 'Refund order 1043');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const card = page.getByRole('region', { name: 'Refund 19.5 € for order 1043' });
    await card.locator('[aria-keyshortcuts="y"]').waitFor();
    const field = page.getByRole('textbox', { name: 'Reason for refusing' });
    expect(await field.getAttribute('placeholder')).toBe('Refuse, and say what should be different');
    for (const focused of [field, card]) {
      await focused.focus();
      await page.keyboard.press('Control+Enter');
    }
    await field.press('Enter');
    expect((await service.get<{ tasks: unknown[] }>('/v1/tasks')).tasks).toHaveLength(1);
    await card.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('Refunded.').waitFor();
    expect(paid).toEqual([INPUT]);
    const decided = page.getByRole('log').locator('summary', { hasText: /Approved by local \(console\) · / });
    expect((await decided.boundingBox())?.height).toBe(36);
    expect(faults).toEqual([]);
  });

  it('shows an approver an action of another’s task and nothing else of it, and the owner who decided', async () => {
    await keptBuild();
    const { refund, paid } = createRefund(['role:finance']);
    const env = { TRIPACT_API_KEYS: `ops:${OPS},ada:${ADA}`, TRIPACT_OPERATORS: 'ops' };
    const service = await startService(refunding, env, { file: { tools: [refund] } });
    const { page, faults } = await open(`${service.url}/console/system?tab=keys`);
    await giveKey(page, OPS);
    await page.getByRole('textbox', { name: 'Owner' }).fill('fay');
    await page.getByRole('textbox', { name: 'May approve as' }).fill('finance');
    await page.getByRole('button', { name: 'Add a key' }).click();
    const fay = String(await page.getByRole('status').locator('code').textContent());
    await page.getByRole('row', { name: /fay key_\w+ user finance/i }).waitFor();

    const headers = { authorization: `Bearer ${ADA}` };
    await service.post('/v1/sessions/s1/turns', { input: 'Settle the secret matter' }, headers);
    await page.goto(`${service.url}/console/sessions/s1`);
    await giveKey(page, ADA);
    const owners = page.getByRole('log').getByRole('region', { name: 'Refund 19.5 € for order 1043' });
    await owners.getByText('Decided by the role finance').waitFor();
    await owners.getByText('Others decide about this').waitFor();
    expect(await owners.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await page.goto(`${service.url}/console/`);
    await giveKey(page, fay);
    const inbox = page.getByRole('region', { name: 'Waits for you' });
    await inbox.getByText('Approval for ada').waitFor();
    expect(await page.getByText('secret matter').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await inbox.getByRole('button', { name: 'Approve' }).click();
    await inbox.getByText('Nothing waits for you.').waitFor();
    const turns = async (): Promise<TurnView[]> =>
      ((await (await fetch(`${service.url}/v1/sessions/s1/turns`, { headers })).json()) as { turns: TurnView[] }).turns;
    await expect.poll(async () => (await turns()).map(({ status }) => status)).toContain('answered');
    expect(paid).toEqual([INPUT]);
    await page.goto(`${service.url}/console/sessions/s1`);
    await giveKey(page, ADA);
    await page
      .getByRole('log')
      .getByText(/^Approved by fay \(console/)
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('has a plan go on, change or stop, where one wants to see it first', async () => {
    await keptBuild();
    const service = await startService([plan('Draft it', 'Send it to 2,300 readers'), replanned('Draft it')]);
    const { page, faults } = await open(`${service.url}/console/`);
    await page.getByRole('button', { name: 'Plan first' }).click();
    await page.getByRole('menuitem', { name: /^Plan first/ }).click();
    await page.locator('#message').fill('Send the newsletter');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Plan to confirm' });
    await expect
      .poll(() => card.getByRole('listitem').allInnerTexts())
      .toEqual(['Draft it', 'Send it to 2,300 readers']);
    await card.getByRole('button', { name: 'Change…' }).click();
    await page.keyboard.type('Do not send it');
    await page.keyboard.press('Enter');
    await expect.poll(() => card.getByRole('listitem').allInnerTexts()).toEqual(['Draft it']);
    expect(await accessibilityFaults(page)).toEqual([]);
    service.model.answer([done('Drafted'), answer('Here is the draft.')]);
    await card.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('log').getByText('Here is the draft.').waitFor();
    expect(faults).toEqual([]);
  });

  it('has a form of a tool’s server filled in, and opens its page by a click alone', async () => {
    await keptBuild();
    const desk: Desk = { booked: [] };
    const server = await serveSample({}, () => createAskingServer(desk));
    const script = [plan('Book'), act('desk_book', '{"table":"T4"}'), done(), answer('Booked.')];
    const service = await startService(script, {}, { file: { mcpServers: { desk: { url: server.url } } } });
    await service.say('s1', 'Book a table');
    const { page, faults } = await open(`${service.url}/console/`);
    const form = page.getByRole('region', { name: '“desk” asks you', exact: true });
    await form.getByLabel('Day').selectOption('Friday');
    await form.getByLabel('Seats').fill('9');
    await form.getByText('At most 8').waitFor();
    await form.getByLabel('Seats').fill('2');
    expect(await accessibilityFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Send' }).click();
    const visit = page.getByRole('region', { name: '“desk” asks you to visit a page' });
    const link = visit.getByRole('link', { name: 'Open pay.example' });
    expect(await link.getAttribute('href')).toBe('https://pay.example/deposit?for=table');
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    await visit.getByText('pay.example', { exact: true }).waitFor();
    await visit.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Nothing waits for you.').waitFor();
    expect(desk.booked).toEqual(['T4 Friday for 2 accept']);
    expect(faults).toEqual([]);
  });

  it('says what failed how often and why, in the reader’s language', async () => {
    await keptBuild();
    const archive = defineTool({
      name: 'invoices_import',
      description: 'Imports invoices.',
      input: z.object({ month: z.string() }),
      run: () => {
        throw new Error('archive.example: 401, the password expired');
      },
    });
    const calls = ['10', '11', '12'].map((month) => act('invoices_import', JSON.stringify({ month })));
    const script = { plan: plan('Import', 'Report'), thought: [...calls, act('todo', 'list'), act('todo', 'list')] };
    const service = await startService(script, {}, { file: { tools: [archive] } });
    await service.say('s1', 'Import the invoices');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`, { language: 'zh' });
    const card = page.getByRole('log').getByRole('region', { name: '反复失败' });
    await card.getByRole('heading', { name: '“Import”失败了 3 次' }).waitFor();
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual(['archive.example: 401, the password expired']);
    expect(await card.innerText()).not.toMatch(/invoices_import|What should I do/);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('says what failed, and goes on without it', async () => {
    await keptBuild();
    const service = await startService({ plan: plan('Import', 'Report') });
    await service.say('s1', 'Import the invoices');
    const { page, faults } = await open(`${service.url}/console/`);
    const card = page.getByRole('region', { name: 'Paused' });
    await card.getByText('0 of 2 items are done. Left: Import, Report.').waitFor();
    service.model.answer({ thought: done('Reported'), replan: [replanned('Report'), answer('The rest is done.')] });
    await card.getByRole('button', { name: 'Skip the item' }).click();
    await page.getByText('Nothing waits for you.').waitFor();
    const trace = await service.trace('s1');
    expect(trace.find(({ event }) => event.type === 'plan.edited')?.event).toMatchObject({ by: { via: 'console' } });
    expect(faults).toEqual([]);
  });
});
