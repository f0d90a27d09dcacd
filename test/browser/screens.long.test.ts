import { expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { ask, plan, startService } from '../support/service/service.ts';

/** How long one round through all screens may take, in milliseconds. */
const ROUND_MS_MAX = 600_000;

/** Every screen, by its address. */
const SCREENS = [
  '/console/',
  '/console/sessions/s1',
  '/console/sessions/new-one',
  '/console/sessions/s1?tab=plan',
  '/console/sessions/s1?tab=machine',
  '/console/sessions/s1?tab=timeline',
  '/console/compare',
  '/console/trace',
  '/console/system',
  '/console/nothing',
];

describeInBrowser('every screen of the console', (open) => {
  it.each([
    { language: 'en', colorScheme: 'light', width: 1_440 },
    { language: 'zh', colorScheme: 'dark', width: 1_440 },
    { language: 'zh', colorScheme: 'light', width: 1_024 },
    { language: 'en', colorScheme: 'dark', width: 360 },
  ] as const)(
    'can be used by everybody: $language, $colorScheme, $width pixels wide',
    { timeout: ROUND_MS_MAX },
    async (options) => {
      await keptBuild();
      const service = await startService([plan('Ask', 'Write'), { ...ask('Which one?'), options: ['One', 'Two'] }]);
      await service.say('s1', 'Do one of two things');
      const { page, faults } = await open(`${service.url}/console/`, options);
      const found: string[] = [];
      for (const screen of SCREENS) {
        await page.goto(service.url + screen);
        await page.getByRole('main').waitFor();
        await expect.poll(() => page.getByText(/^(Loading…|加载中…)$/).count()).toBe(0);
        found.push(...(await accessibilityFaults(page)).map((fault) => `${screen} ${fault}`));
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(overflow) > 0) found.push(`${screen} is ${overflow} pixels wider than the window`);
      }
      expect(found).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  it('lists the keys that work everywhere', async () => {
    const service = await startService([]);
    const { page } = await open(`${service.url}/console/`);
    await page.getByText('No sessions yet').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).getByText('write a message').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.waitForURL('**/console/sessions/chat-*');
    await page.keyboard.press('m');
    expect(await page.evaluate('document.activeElement.id')).toBe('message');
  });
});
