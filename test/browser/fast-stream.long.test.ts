import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { message } from '../support/anthropic/answers.ts';
import type { MessagesScript } from '../support/anthropic/messages.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { measureBlocks, measureFrames } from '../support/console/page-measures.ts';
import { sendTurn } from '../support/service/sent-turn.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';

const TEST_MS_MAX = 240_000;

/** How many entries the session has when the page is opened. */
const BEFORE = 2_000;

/** How many more come while it is open, as fast as the service makes them. */
const MORE = 900;

/** Longest that half of all frames take, and longest block, in milliseconds: a test machine does other things besides. */
const FRAME_MS_MAX = 50;
const BLOCK_MS_MAX = 500;

/** Entries that a page may be behind after a third of a second: what a quick stream brings in a second. */
const BEHIND_MAX = 300;

/** Most requests of a page in a second while all that it shows changes: less than a third of the entries that come. */
const REQUESTS_MAX = 60;

/** Limits that no part of this comes to. */
const ENV = { TRIPACT_MAX_STEPS: '10000', TRIPACT_MAX_TOTAL_STEPS: '100000', TRIPACT_MAX_REPLANS: '10000' };

/** A model that acts on and on, with a replan now and then: it waits once at `BEFORE` until it may go on, and answers at the end. */
const createModel = () => {
  const waits = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  let asked = 0;
  const script: MessagesScript = {
    plan: plan('Read the archive'),
    thought: async (response, request) => {
      asked += 1;
      if (asked === Math.floor(BEFORE / 2)) {
        waits.resolve();
        await mayGoOn.promise;
      }
      await message(asked % 10 === 0 ? done(`Shelf ${asked}`) : act('todo', `search book ${asked}`))(response, request);
    },
    replan: async (response, request) => {
      const isOver = asked >= (BEFORE + MORE) / 2;
      await message(isOver ? answer('The archive is read.') : replanned(`Shelf ${asked}`))(response, request);
    },
  };
  return { script, waits: waits.promise, goOn: mayGoOn.resolve };
};

/** The entry that a page which follows shows, as its slider says. */
const shownSeq = async (page: Page): Promise<number> =>
  Number(/entry (\d+)/.exec(String(await page.getByRole('slider').getAttribute('aria-valuetext')))?.[1] ?? 0);

describeInBrowser('a session of thousands of entries', (open) => {
  it(
    'opens soon, and is followed while hundreds of entries a second come',
    async () => {
      await keptBuild();
      const { script, waits, goOn } = createModel();
      const service = await startService(script, ENV);
      const began = performance.now();
      const turn = await sendTurn(service.url, 'archive', 'Read the archive');
      await waits;
      const made = Math.round(performance.now() - began);
      const lastSeq = async () => (await service.get<SessionView>('/v1/sessions/archive')).last_seq;
      const before = await lastSeq();

      const opened = performance.now();
      const { page, faults } = await open(`${service.url}/console/sessions/archive?tab=timeline`);
      await page.locator(`[data-seq="${before}"]`).waitFor();
      const openedMs = Math.round(performance.now() - opened);
      const openingBlock = await (await measureBlocks(page, { sinceOpened: true }))();

      const frames = await measureFrames(page);
      const blocks = await measureBlocks(page);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const from = performance.now();
      goOn();
      let behind = 0;
      for (const [i, tab] of ['Timeline', 'Machine', 'Plan'].entries()) {
        await page.getByRole('tab', { name: tab }).click();
        while ((await lastSeq()) < before + (MORE * (i + 1)) / 3) {
          const last = await lastSeq();
          await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
          behind = Math.max(behind, last - (await shownSeq(page)));
        }
      }
      const { task } = await turn.finished();
      const last = await lastSeq();
      const seconds = (performance.now() - from) / 1_000;
      await page.getByRole('log').getByText('The archive is read.').waitFor();
      await page.getByText(`${task.step_count} of 10000`).waitFor();
      await expect.poll(() => shownSeq(page)).toBe(last);
      const frame = await frames();
      const block = await blocks();
      await page.getByRole('tab', { name: 'Timeline' }).click();
      await page.locator(`[data-seq="${last}"]`).waitFor();
      const elements = Number(await page.evaluate("document.querySelectorAll('*').length"));
      const heapMib = Math.round(Number(await page.evaluate('performance.memory.usedJSHeapSize')) / 1024 / 1024);
      const perSecond = Math.round((last - before) / seconds);
      const requestsPerSecond = Math.round(requests.length / seconds);
      const opening = { before, made, openedMs, openingBlock };
      console.log(JSON.stringify({ opening, perSecond, requestsPerSecond, frame, block, behind, elements, heapMib }));
      expect(behind, 'entries that are not shown yet').toBeLessThan(BEHIND_MAX);
      expect(requestsPerSecond).toBeLessThan(REQUESTS_MAX);
      expect(openingBlock, 'longest block at opening').toBeLessThan(BLOCK_MS_MAX);
      expect(frame.median).toBeLessThan(FRAME_MS_MAX);
      expect(block, 'longest block').toBeLessThan(BLOCK_MS_MAX);
      expect(elements).toBeLessThan(1_500);
      expect(faults).toEqual([]);
    },
    TEST_MS_MAX,
  );
});
