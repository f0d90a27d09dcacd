import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { TurnView } from '../../contracts/turn-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { delayed, silence } from '../support/anthropic/answers.ts';
import { streamedMessage } from '../support/anthropic/streams.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { OPS, openFrontEnd, startWithFrontEnd } from '../support/front-ends/as-user.ts';
import { shutGate } from '../support/service/gate.ts';
import { PNG } from '../support/service/sample-files.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

/** Acts like a user who pastes one file and drops another one. */
const PASTE_AND_DROP = `
  const field = document.getElementById('message');
  const pasted = new DataTransfer();
  pasted.items.add(new File(['a,b'], 'list.csv', { type: 'text/csv' }));
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true }));
  const dropped = new DataTransfer();
  dropped.items.add(new File(['{}'], 'more.json', { type: 'application/json' }));
  field.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
`;

describeInBrowser("the console's conversation", (open) => {
  it('steers and stops what runs, and goes on with what is paused', async () => {
    await keptBuild();
    const service = await startService([plan('Look', 'Write'), silence()], { TRIPACT_MAX_STEPS: '3' });
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const field = page.locator('#message');
    const log = page.getByRole('log');
    await field.fill('Write a report');
    await field.press('Enter');
    await page.getByRole('region', { name: 'Plan', exact: true }).getByText('Look').waitFor();
    await service.model.asked(2);
    await page.getByRole('combobox', { name: 'While a task runs' }).selectOption('steer');
    await field.fill('Keep it short');
    await field.press('Enter');
    await log.getByText('Keep it short', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await log.getByText('stopped').first().waitFor();

    service.model.answer([plan('Look', 'Write'), act('todo', 'list'), done()]);
    await field.fill('Again');
    await field.press('Enter');
    await log.getByRole('button', { name: 'Go on' }).waitFor();
    await log.getByText('All 3 steps are used').waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('All 3 steps are used').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await log.getByText('What is done, and what is left').click();
    await log.getByText('Why it is not finished').waitFor();
    service.model.answer([replanned('Write'), done(), answer('The report.')]);
    await log.getByRole('button', { name: 'Go on' }).click();
    await log.getByText('The report.').waitFor();
    expect(faults).toEqual([]);
  });

  it.each([
    { language: 'en', width: 390 },
    { language: 'zh', width: 390 },
    { language: 'en', width: 768 },
    { language: 'en', width: 1_000 },
    { language: 'zh', width: 1_440 },
  ] as const)(
    'has room for what is written and its buttons while a task runs: $language, $width pixels wide',
    async (options) => {
      await keptBuild();
      const service = await startService([plan('Look'), silence()]);
      await service.post('/v1/sessions/s1/turns', { input: 'Look' }, { prefer: 'respond-async' });
      const { page, faults } = await open(`${service.url}/console/sessions/s1`, options);
      const form = page.locator('form', { has: page.getByRole('combobox') });
      const field = form.getByRole('textbox');
      const places = async () => {
        const parts = [form, field, form.getByRole('combobox'), form.locator('[type=submit]')];
        const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox()) ?? expect.fail()));
        return boxes.map(({ x, y, width, height }) => ({ x, y, right: x + width, bottom: y + height }));
      };
      await form.waitFor();
      const [whole, text, choice, send] = await places();
      if (options.width > 760) expect(text!.bottom).toBeGreaterThan(choice!.y);
      else expect(text!.bottom).toBeLessThanOrEqual(choice!.y);
      expect(send!.y).toBeLessThan(choice!.bottom);
      expect(whole!.right - send!.right).toBeLessThan(12);
      // The whole placeholder is seen, and a long text grows downwards.
      expect(await field.evaluate((at) => at.scrollHeight > at.clientHeight + 1)).toBe(false);
      await field.fill('And look into the archive of 2018 too. '.repeat(4));
      const [, written] = await places();
      expect(written!.right).toBe(text!.right);
      expect(await field.evaluate((at) => at.scrollHeight > at.clientHeight + 1)).toBe(false);
      expect(faults).toEqual([]);
    },
  );

  it('says that a session is not there, and never so of one that is just begun', async () => {
    await keptBuild();
    const service = await startService([plan('Look'), done(), answer('Seen.')]);
    const { page, faults } = await open(`${service.url}/console/sessions/gone`);
    await page.getByRole('heading', { name: 'There is no such session' }).waitFor();
    await page.getByRole('heading', { name: 'No such session', exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to the sessions' }).click();
    await page.goto(`${service.url}/console/`);
    await page.evaluate(`
      globalThis.told = false;
      new MutationObserver(() => {
        if (document.body.innerText.includes('o such session')) globalThis.told = true;
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
    await page.locator('#message').fill('Look');
    await page.locator('#message').press('Enter');
    await page.getByRole('log').getByText('Seen.').waitFor();
    expect(await page.evaluate('told')).toBe(false);
    expect(faults).toEqual([]);
  });

  it('says no with a reason in the composer, runs an edited input, and leaves a line of each', async () => {
    const acting = act('todo', 'add milk');
    const script = {
      plan: plan('Buy'),
      thought: [acting, acting, done()],
      replan: [replanned('Buy'), answer('Bought.')],
    };
    const service = await startService(script, { TRIPACT_APPROVE: 'todo' });
    await service.say('s1', 'Buy milk');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const log = page.getByRole('log');
    const card = page.getByRole('region', { name: 'May “todo” run?' });
    const letters = card.locator('[aria-keyshortcuts]').first();
    await letters.waitFor();
    await card.locator('pre').click();
    await page.keyboard.press('n');
    await page.keyboard.type('We have some');
    await page.keyboard.press('Enter');
    await log.getByText(/^Refused by local \(console\) · /).waitFor();
    await log.locator('blockquote', { hasText: /^We have some$/ }).waitFor();
    await letters.waitFor();
    expect(await log.locator('pre', { hasText: 'add milk' }).count()).toBe(1);
    await card.locator('pre').click();
    await page.keyboard.press('e');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('add oat milk');
    await page.getByRole('button', { name: 'Run with these' }).click();
    await log.getByText(/^Approved with an edit by local \(console\) · /).waitFor();
    await log.getByText('Bought.').waitFor();
    expect((await service.say('s1', '/todo list')).output).toContain('oat milk');
    expect(faults).toEqual([]);
  });

  it('sends files that are chosen, pasted or dropped, keeps refused ones, and offers sent ones', async () => {
    const service = await startService({ plan: plan('Look'), thought: done(), replan: answer('It is red.') });
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const field = page.locator('#message');
    const chips = page.getByRole('list', { name: 'Files to send' });
    await field.waitFor();
    await page.locator('form input[type=file]').setInputFiles([
      { name: 'photo.png', mimeType: 'image/png', buffer: PNG },
      { name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    ]);
    await chips.getByText('wrong.txt').waitFor();
    await chips.getByRole('button', { name: 'Remove wrong.txt' }).click();
    await page.evaluate(PASTE_AND_DROP);
    expect(await chips.getByRole('listitem').count()).toBe(3);
    await field.press('Enter');
    await page.getByRole('log').getByText('It is red.').waitFor();
    expect(await chips.count()).toBe(0);
    const sent = page.getByRole('list', { name: 'Sent files' });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      sent.getByRole('button', { name: 'Save photo.png' }).click(),
    ]);
    expect(readFileSync(await saved.path())).toEqual(PNG);
    const [turn] = (await service.get<{ turns: TurnView[] }>('/v1/sessions/s1/turns')).turns;
    expect(turn).toMatchObject({ input: 'Files: photo.png, list.csv, more.json', by: { via: 'console' } });

    const zip = Buffer.from('504b0304140000000800', 'hex');
    await page.locator('form input[type=file]').setInputFiles([{ name: 'a.zip', mimeType: '', buffer: zip }]);
    await field.press('Enter');
    await page.getByRole('alert').getByText('what can be sent').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(faults).toEqual([]);
  });

  it('shows below an answer the files that its task wrote, the sources that tools read, and what it cost', async () => {
    const draw = defineTool({
      name: 'draw',
      description: 'Draws a chart of a page',
      input: z.object({ page: z.string() }),
      run: ({ page }, { workspace }) => {
        writeFileSync(join(workspace, 'chart.png'), PNG);
        return `Drawn from ${page}`;
      },
    });
    const text = 'By [Northwind](https://northwind.example/returns), and not by https://made-up.example.';
    const script = [
      ...[plan('Draw'), act('draw', '{"page":"https://northwind.example/returns/"}')],
      ...[act('files', 'write notes.md Hello'), done(), answer(text)],
    ];
    const prices = { currency: 'EUR', models: { m: { input: 1_000, output: 1_000 } } };
    const service = await startService(
      script,
      { TRIPACT_MODEL: 'anthropic:m' },
      { file: { prices, tools: [draw], builtinTools: ['files'] } },
    );
    await service.say('s1', 'Draw a chart');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const log = page.getByRole('log');
    const files = log.getByRole('list', { name: 'Files that were written' });
    await files.getByText(`PNG · ${PNG.length} B`).waitFor();
    await files.getByText('MD · 5 B').waitFor();
    expect(await files.getByRole('listitem').count()).toBe(2);
    const red = "(() => document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 1).data[0])()";
    await expect.poll(() => page.evaluate(red)).toBeGreaterThan(200);
    const sources = log.getByRole('region', { name: 'Sources' }).getByRole('link');
    expect(await sources.allInnerTexts()).toEqual(['northwind.example/returns']);
    expect(await log.getByTitle('Cost of this task').innerText()).toBe('€0.075');
    expect(await accessibilityFaults(page)).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      files.getByRole('button', { name: /chart\.png/ }).click(),
    ]);
    expect(readFileSync(await saved.path())).toEqual(PNG);
    expect(faults).toEqual([]);
  });

  it('shows one caret where the next words of an answer come, in whatever block', async () => {
    const pieces = [
      'Bread',
      ' and butter\\n\\n- Milk',
      '\\n  - Oat',
      '\\n\\n```\\ncode',
      '\\n```\\n\\n> cited',
      '\\n\\nEnd',
    ];
    const waiting: (() => void)[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const between = () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        begin();
      });
    const streamed = streamedMessage(['{"status":"done","plan":[],"response":"', ...pieces, '"}'], 'whole', between);
    const follows = shutGate();
    const service = await startService([delayed(follows.opened, plan('Write')), done(), streamed]);
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    await page.locator('#message').fill('Write');
    await page.locator('#message').press('Enter');
    // Models stream only to those who follow the session already.
    await page.locator('[role=log] [data-state=running]').first().waitFor();
    follows.open();
    await begun;
    const carets = `[...document.querySelectorAll('[role=log] *')]
      .filter((each) => getComputedStyle(each, '::after').content === '""').map((each) => each.localName + ' ' + each.textContent)`;
    for (const caret of ['p Bread', 'li Milk', 'li Oat', 'code code', 'p cited']) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
      await expect.poll(() => page.evaluate(carets)).toEqual([caret]);
    }
    for (const _ of ['End', 'the end of the message']) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    await page.getByRole('log').getByRole('button', { name: 'Copy', exact: true }).waitFor();
    expect(await page.evaluate(carets)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('says in a sentence why a task waits, what the model said, and tries again', async () => {
    const service = await startService({ plan: plan('Look') });
    await service.say('s1', 'Look');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const paused = page.getByRole('log').getByRole('region', { name: 'Paused' });
    await paused.getByText('The model gave no answer that could be used').waitFor();
    await paused.getByText('What the model said').click();
    await paused.locator('pre').first().waitFor();
    service.model.answer({ plan: plan('Look'), thought: done(), replan: answer('Seen.') });
    await paused.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('log').getByText('Seen.').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows a text of a model or a tool as text, whatever it looks like', async () => {
    const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const service = await startService([plan(markup), ask(markup)]);
    await service.say('s1', `Try ${markup}`);
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    await page.getByRole('region', { name: 'Question' }).getByText(markup).waitFor();
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    expect(await page.title()).toMatch(/^\(1\) .+ · Tripact$/);
    expect(faults).toEqual([]);
  });

  it('asks for a key where the service wants one, says when it is wrong, and forgets it with the page', async () => {
    const service = await startService([], { TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789' });
    const { page, faults } = await open(`${service.url}/`);
    await page.waitForURL('**/console/');
    const field = page.getByRole('textbox', { name: 'API key' });
    await field.fill('wrong-key-0123456789');
    await field.press('Enter');
    await page.getByRole('alert').getByText('refused this key').waitFor();
    await field.fill('key-of-ada-0123456789');
    await field.press('Enter');
    await page.getByText('Nothing waits for you.').waitFor();
    expect(
      await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])'),
    ).not.toContain('key-of-ada');
    await page.reload();
    await field.waitFor();
    expect(faults).toEqual([]);
  });

  it("says why a front end's key does not open it, and shows an operator each user's usage", async () => {
    const { service, key } = await startWithFrontEnd([plan('Look'), done(), answer('Seen.')], { turns_per_day: 9 });
    const url = await openFrontEnd(() => service.url, key, 'ada');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ input: 'Look' });
    await fetch(`${url}/v1/sessions/s1/turns`, { method: 'POST', headers, body });
    const { page, faults } = await open(`${service.url}/console/`);
    const field = page.getByRole('textbox', { name: 'API key' });
    await field.fill(key);
    await field.press('Enter');
    await page.getByRole('alert').getByText('acts for many users').waitFor();
    await field.fill(OPS);
    await field.press('Enter');
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('tab', { name: 'Usage' }).click();
    const used = page.getByRole('region', { name: 'Users of front ends today' });
    await used.getByRole('row', { name: /^web~ada 1 \/ 9 45 \/ unlimited –$/ }).waitFor();
    expect(faults).toEqual([]);
  });
});
