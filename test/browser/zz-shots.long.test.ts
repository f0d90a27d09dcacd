import { it } from 'vitest';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { goldenFile } from '../support/golden/files.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';
import type { Page } from 'playwright-core';
const OUT = process.env.SHOTS!;
const ONLY = process.env.ONLY;
describeInBrowser('shots', (open) => {
  it('takes', { timeout: 500_000 }, async () => {
    await keptBuild();
    const service = await startService([plan('Ask', 'Write'), { ...ask('Which one?'), options: ['One', 'Two'] }], { TRIPACT_APPROVE: 'schedule', TRIPACT_MAX_STEPS: '5', TRIPACT_CALLBACK_HOSTS: '127.0.0.1' });
    await service.say('asks', 'Do one of two things', { callback_url: 'http://127.0.0.1:9/hook' });
    service.model.answer([plan('Write'), act('schedule', 'list')]);
    await service.say('approves', 'Look into the calendar');
    service.model.answer([plan('Ask', 'Write'), ask('Which one?'), replanned('Write'), act('todo', 'add milk'), done()]);
    await service.say('ends', 'Put milk on the list');
    service.model.answer([answer('It is on the list.')]);
    const { task_id } = await service.say('ends', 'The first');
    await service.say('ends', 'continue');
    service.model.answer([answer('It is left out.')]);
    await service.post(`/v1/tasks/${task_id}/fork`, { at: 3, input: 'The second', session_id: 'forked' });
    await service.post('/v1/memory', { text: 'Likes milk' });
    await service.say('goals', '/schedule goal "every day 9am" say hello');
    const task = `/console/sessions/ends/tasks/${task_id}`;
    const list: [string, string, ((page: Page) => Promise<unknown>)?][] = [
      ['home', '/console/'], ['task', `${task}`], ['machine', `${task}?tab=machine`], ['timeline', `${task}?tab=timeline&seq=3`],
      ['asks', '/console/sessions/asks'], ['new', '/console/sessions/new-one'],
      ...['tools', 'memory', 'goals', 'callbacks', 'usage', 'limits', 'contracts', 'keys'].map((t): [string, string] => [`system-${t}`, `/console/system?tab=${t}`]),
      ...['fork', 'compare', 'share'].map((d): [string, string] => [`dialog-${d}`, `${task}?dialog=${d}&tab=plan`]),
      ['compare', `/console/compare?left=asks&right=ends/${task_id}`],
      ['trace', '/console/trace'],
      ['trace-file', '/console/trace?tab=plan&seq=3', (p) => p.locator('input[type=file]').setInputFiles(goldenFile('two-items-with-tools', 'jsonl'))],
      ['help', '/console/?', (p) => p.keyboard.press('?')],
      ['palette', '/console/?x', (p) => p.keyboard.press('Control+k')],
      ['rename', '/console/sessions/ends?y', async (p) => { if ((p.viewportSize()?.width ?? 0) > 800) await p.locator('[aria-label^="Rename"]').first().click({ force: true }); }],
    ];
    for (const [tag, options] of [['d', { language: 'en', colorScheme: 'light', width: 1440 }], ['p', { language: 'zh', colorScheme: 'dark', width: 390 }]] as const) {
      const { page, faults } = await open(`${service.url}/console/`, options);
      for (const [name, address, begin] of list) {
        if (ONLY && !new RegExp(ONLY).test(name)) continue;
        await page.goto(service.url + address);
        await page.getByRole('main').waitFor();
        await page.waitForTimeout(400);
        await begin?.(page);
        await page.waitForTimeout(500);
        await page.screenshot({ path: `${OUT}/${name}-${tag}.png` });
      }
      console.log(tag, faults);
    }
  });
});
