import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import { delayed } from '../support/anthropic/answers.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser, type OpenedPage } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { shutGate } from '../support/service/gate.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

/** A tool that looks an order up once it is let, and one that reads photos, of which one cannot be read. */
const shopTools = (orders: Promise<void>) => [
  defineTool({
    name: 'order_get',
    description: 'Looks an order up.',
    input: z.object({ order: z.string() }),
    writes: false,
    run: async ({ order }) => {
      await orders;
      return { order, customer: { name: 'Anna' } };
    },
  }),
  defineTool({
    name: 'photo_read',
    description: 'Reads a photo.',
    input: z.object({ path: z.string() }),
    writes: false,
    run: ({ path }) => {
      if (path === 'a.jpg') throw new Error('503: the storage is busy');
      return `A mug (${path}).`;
    },
  }),
];

/** More than a log shows of a text at once. */
const LONG_TEXT = `A long letter. ${'It arrived broken. '.repeat(200)}`;

/** A running turn with a step of a long result, in a window that its conversation does not fit into. */
const scrolledTurn = async (open: (address: string) => Promise<OpenedPage>) => {
  await keptBuild();
  const writes = shutGate();
  const letter = defineTool({
    name: 'letter_read',
    description: 'Reads a letter.',
    input: z.object({ order: z.string() }),
    writes: false,
    run: () => LONG_TEXT,
  });
  const photo = (path: string) => call('photo_read', { path });
  const script = [
    plan('Read the letter', 'Tell Anna'),
    ...['a.jpg', 'b.jpg'].map(photo),
    call('letter_read', { order: '1043' }),
    ...['a.jpg', 'b.jpg', 'a.jpg', 'b.jpg', 'a.jpg', 'b.jpg'].map(photo),
    delayed(writes.opened, call('order_get', { order: 'last' })),
    ask('Which card?'),
  ];
  const tools = [...shopTools(Promise.resolve()), letter];
  const service = await startService(script, {}, { file: { tools } });
  const { page, faults } = await open(`${service.url}/console/sessions/s1`);
  await page.setViewportSize({ width: 1_440, height: 420 });
  await page.locator('#message').fill('Read the letter about order 1043');
  await page.locator('#message').press('Enter');
  const log = page.getByRole('log');
  await log.locator('summary', { hasText: 'b.jpg' }).nth(3).waitFor();
  await log.getByText('Thinking').waitFor();
  return { page, log, faults, goOn: writes.open };
};

/** How far a part of the page moves when something is done, in pixels, once two frames were drawn after that. */
const moved = async (page: Page, part: Locator, act: () => Promise<unknown>): Promise<number> => {
  const before = await part.boundingBox();
  await act();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  return Math.abs((await part.boundingBox())!.y - before!.y);
};

const call = (tool: string, input: object) => act(tool, JSON.stringify(input));

const script = [
  plan('Look up order 1043', 'Tell Anna'),
  call('order_get', { order: 'mug' }),
  call('photo_read', { path: 'a.jpg' }),
  call('photo_read', { path: 'b.jpg' }),
  call('photo_read', { path: 'c.jpg' }),
  done('Found'),
  replanned('Ask Anna', 'Tell Anna'),
  ask('Which card?'),
];

describeInBrowser("a conversation's steps in the console", (open) => {
  it('are a line each, where the result takes the place of the running seconds, and unfold', async () => {
    await keptBuild();
    const orders = shutGate();
    const service = await startService(script, {}, { file: { tools: shopTools(orders.opened) } });
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const log = page.getByRole('log');
    await page.locator('#message').fill('Refund order 1043');
    await page.locator('#message').press('Enter');
    const order = log.locator('details[data-kind="tool"]').first();
    await order.locator('summary', { hasText: /Order getmug\d+ srunning$/ }).waitFor();
    const place = await order.boundingBox();
    orders.open();
    await log.getByText('Which card?').first().waitFor();
    expect((await order.boundingBox())?.height).toBe(place?.height);
    expect(place?.height).toBe(36);

    const lines = await log.locator('summary').allTextContents();
    expect(lines.map((line) => line.replace(/[\d.,]+ m?s/, '· '))).toEqual([
      'Planned 2 items· done',
      'Order getmug· done',
      'Photo reada.jpg503: the storage is busy· failed',
      'Photo read ×2b.jpg, c.jpg· done',
      'Changed the plan: 2 items to do· done',
    ]);
    await order.locator('summary').click();
    await order.getByText('customer', { exact: true }).waitFor();
    expect(await order.locator('dd', { hasText: /^Anna$/ }).count()).toBe(1);
    await log.locator('summary', { hasText: '×2' }).click();
    await log.locator('summary', { hasText: /^Photo readc\.jpg/ }).click();
    await log.getByText('A mug (c.jpg).').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    // The inspector shows the call; the moment stays.
    await order.getByRole('button', { name: 'Inspect' }).click();
    await page.getByRole('button', { name: 'Back to the plan' }).waitFor();
    expect(new URL(page.url()).searchParams.get('seq')).toBe(null);
    expect(faults).toEqual([]);
  });

  it('stay where they are when they are unfolded and folded, and the end of a running turn stays in sight', async () => {
    const { page, log, faults, goOn } = await scrolledTurn(open);
    const scrolled = () => log.evaluate(({ scrollTop }) => scrollTop);
    const last = log.locator('summary', { hasText: 'b.jpg' }).last();
    const letter = log.locator('details', { hasText: 'Letter read' });
    const toggle = (fold: Locator) => () => fold.click();

    // At the end, the list would grow upwards.
    expect(await scrolled()).toBe(0);
    const unfold = async () => {
      await last.click();
      await log.getByText('A mug (b.jpg).').waitFor();
    };
    expect(await moved(page, last, unfold)).toBeLessThan(1);
    expect(await scrolled()).toBeLessThan(0);
    expect(await moved(page, last, toggle(last))).toBeLessThan(1);
    expect(await scrolled()).toBe(0);

    // Between its beginning and its end, and a cut text, which is read on from where it is.
    await letter.scrollIntoViewIfNeeded();
    expect(await moved(page, letter, toggle(letter.locator('summary')))).toBeLessThan(1);
    const whole = letter.getByRole('button', { name: 'Show the whole text' });
    await whole.scrollIntoViewIfNeeded();
    expect(await moved(page, letter.getByText('A long letter.'), toggle(whole))).toBeLessThan(1);
    const less = letter.getByRole('button', { name: 'Show less' });
    await less.scrollIntoViewIfNeeded();
    const place = await less.boundingBox();
    await less.click();
    await whole.waitFor();
    expect(Math.abs((await whole.boundingBox())!.y - place!.y)).toBeLessThan(1);
    await letter.locator('summary').click();

    // What is folded again is no reason to leave the end.
    await log.evaluate((list) => list.scrollTo(0, 0));
    await unfold();
    await last.click();
    await expect.poll(scrolled).toBe(0);
    goOn();
    await log.getByText('Which card?').first().waitFor();
    expect(await scrolled()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('fold to one line on a phone as soon as something is asked, and to nothing that came later in the past', async () => {
    await keptBuild();
    const service = await startService(script, {}, { file: { tools: shopTools(Promise.resolve()) } });
    await service.say('s1', 'Refund order 1043');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`, { width: 390 });
    const log = page.getByRole('log');
    const line = log.getByRole('button', { name: /^6 steps\s*1 failed/ });
    await line.waitFor();
    expect(await log.locator('summary').count()).toBe(0);
    await line.click();
    await log.locator('summary', { hasText: 'Order get' }).waitFor();
    const why = await log.getByText('503: the storage is busy').boundingBox();
    const name = await log.locator('summary', { hasText: 'a.jpg' }).locator('code').boundingBox();
    expect(why?.y).toBeGreaterThan(name!.y + name!.height);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(`${service.url}/console/sessions/s1?seq=4`);
    await log
      .locator('[data-state="running"]', { hasText: 'Photo reada.jpg' })
      .or(log.getByText('Thinking'))
      .first()
      .waitFor();
    expect(await log.getByText('×2').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('are read on request for an earlier task of the session', async () => {
    await keptBuild();
    const service = await startService([plan('Look'), act('todo', 'list'), done('ok'), answer('Seen.')]);
    await service.say('s1', 'Look');
    service.model.answer([plan('Look'), done('ok'), answer('Again.')]);
    await service.say('s1', 'Look again');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const log = page.getByRole('log');
    await log.getByRole('button', { name: 'Steps' }).click();
    await log.locator('summary', { hasText: 'Listed the todos' }).waitFor();
    expect(faults).toEqual([]);
  });
});
