import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
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
