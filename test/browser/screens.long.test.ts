import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { goldenFile } from '../support/golden/files.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

/** How long one round through all screens may take on a busy machine, in milliseconds. */
const ROUND_MS_MAX = 400_000;

/** An answer from right to left, with a heading, a table, a list and code. */
const ARABIC = `## ملخص الطلبات

| الطلب | المبلغ |
| --- | ---: |
| 1043 | 19.90 |
| 1038 | 12.50 |

1. **أعيد** مبلغ الطلب 1043.
2. ينتظر الطلب 1038 موافقة، انظر \`refund\`.
`;

/** A screen by its address, or what one does there first. */
interface Screen {
  address: string;
  open?: (page: Page) => Promise<unknown>;
}

/** A service with a task that asks, one that waits for a yes, one that is paused, one that is done, and its fork. */
const busyService = async () => {
  const service = await startService([plan('Ask', 'Write'), { ...ask('Which one?'), options: ['One', 'Two'] }], {
    TRIPACT_APPROVE: 'schedule',
    TRIPACT_MAX_STEPS: '5',
  });
  await service.say('asks', 'Do one of two things');
  service.model.answer([plan('Write'), act('schedule', 'list')]);
  await service.say('approves', 'Look into the calendar');
  service.model.answer([plan('Look', 'Write'), act('todo', 'list'), act('todo', 'list'), done()]);
  await service.say('pauses', 'Take too many steps');
  service.model.answer([plan('Ask', 'Write'), ask('Which one?'), replanned('Write'), act('todo', 'add milk'), done()]);
  await service.say('ends', 'Put milk on the list');
  service.model.answer([answer('It is on the list.')]);
  const { task_id } = await service.say('ends', 'The first');
  await service.say('ends', 'continue');
  service.model.answer([answer('It is left out.')]);
  await service.post(`/v1/tasks/${task_id}/fork`, { at: 3, input: 'The second', session_id: 'forked' });
  service.model.answer([plan('اقرأ الطلبات', 'اكتب الملخص'), done('قُرئت'), answer(ARABIC)]);
  await service.say('arabic', 'لخّص طلبات هذا الأسبوع في جدول');
  const task = `/console/sessions/ends/tasks/${task_id}`;
  const screens: Screen[] = [
    ...['/console/', '/console/sessions', '/console/sessions/new-one', '/console/nothing', '/console/compare'],
    ...['/console/sessions/asks', '/console/sessions/approves', '/console/sessions/pauses', '/console/sessions/forked'],
    ...['', '?tab=timeline', '?tab=machine', '?tab=plan'].map((query) => `/console/sessions/arabic${query}`),
    ...['plan', 'machine', 'timeline'].flatMap((tab) => [
      `${task}?tab=${tab}`,
      `${task}?tab=${tab}&seq=3`,
      `${task}?tab=${tab}&call=3`,
    ]),
    ...['fork', 'compare', 'share'].map((dialog) => `${task}?dialog=${dialog}&tab=plan`),
    ...['tools', 'usage', 'limits', 'contracts', 'keys'].map((tab) => `/console/system?tab=${tab}`),
    `/console/compare?left=asks&right=ends/${task_id}`,
  ].map((address) => ({ address }));
  screens.push(
    { address: `${task}?seq=3` },
    { address: '/console/trace' },
    { address: '/console/reruns' },
    {
      address: '/console/trace?tab=timeline&call=3',
      open: (page) => page.locator('input[type=file]').setInputFiles(goldenFile('two-items-with-tools', 'jsonl')),
    },
    {
      address: '/console/sessions/approves?',
      open: (page) => page.getByRole('button', { name: /^(Edit|修改)$/ }).click(),
    },
    { address: '/console/sessions/ends?', open: (page) => page.locator('#message').fill('/') },
    { address: '/console/?', open: (page) => page.keyboard.press('?') },
  );
  return { service, screens };
};

describeInBrowser('every screen of the console', (open) => {
  it.each([
    { language: 'en', colorScheme: 'light', width: 1_440 },
    { language: 'zh', colorScheme: 'dark', width: 360 },
    { language: 'en', colorScheme: 'light', width: 1_024 },
    { language: 'zh', colorScheme: 'light', width: 1_920 },
  ] as const)(
    'can be used by everybody: $language, $colorScheme, $width pixels wide',
    { timeout: ROUND_MS_MAX },
    async (options) => {
      await keptBuild();
      const { service, screens } = await busyService();
      const { page, faults } = await open(`${service.url}/console/`, options);
      const found: string[] = [];
      for (const { address, open: begin } of screens) {
        await page.goto(service.url + address);
        await page.getByRole('main').waitFor();
        await begin?.(page);
        await expect.poll(() => page.getByText(/^(Loading…|加载中…)$/).count()).toBe(0);
        // Between the two widths nothing but the space is another.
        if (options.width !== 1_024)
          found.push(...(await accessibilityFaults(page)).map((fault) => `${address} ${fault}`));
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(overflow) > 0) found.push(`${address} is ${overflow} pixels wider than the window`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    },
  );
});
