import { beforeAll, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';

beforeAll(() => keptBuild());

const tea = (said: string) => [
  plan('Note tea', 'Tell Anna'),
  act('todo', 'add tea'),
  done('Noted'),
  replanned('Tell Anna'),
  done('Told'),
  answer(said),
];

describeInBrowser("the console's reruns", (open) => {
  it('runs a task again with another model, and shows each run beside the recording and where it went another way', async () => {
    const service = await startService(tea('Tea is on the list.'));
    await service.say('tea', 'Put tea on the list');
    const { page, faults } = await open(`${service.url}/console/sessions/tea`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Run again…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run this task again' });
    await dialog.getByLabel('Model of the candidate').fill('offline');
    expect(await accessibilityFaults(page)).toEqual([]);
    service.model.answer(tea('It is on the list now.'));
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();

    const again = page.getByRole('region', { name: 'Again', exact: true });
    await again.getByText('The same, in other words').waitFor();
    await again.getByRole('paragraph').getByText('It is on the list now.').waitFor();
    const candidate = page.getByRole('region', { name: 'Candidate', exact: true });
    await candidate.getByText('offline').waitFor();
    await page.getByRole('heading', { name: 'Would offline have done it?' }).waitFor();
    await page
      .getByRole('region', { name: 'Outcome' })
      .getByText(/^(Yes|No): the outcome is/)
      .waitFor();
    const first = page.getByRole('region', { name: 'First difference' });
    await first.getByRole('heading', { name: 'First difference Plan' }).waitFor();
    await page.getByText('Candidate: entry by entry').click();
    await page.getByRole('region', { name: 'Entry by entry' }).getByText('From here on they differ').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const { todos } = await service.get<{ todos: unknown[] }>('/v1/todos');
    expect(todos).toHaveLength(1);

    const deep = await open(page.url(), { width: 390, language: 'zh', colorScheme: 'dark' });
    await deep.page.getByRole('region', { name: '第一处不同' }).getByText('候选').waitFor();
    expect(await accessibilityFaults(deep.page)).toEqual([]);
    for (const link of await deep.page.getByRole('main').getByRole('link').all())
      expect((await link.boundingBox())?.height, String(await link.textContent())).toBeGreaterThanOrEqual(40);

    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('Nothing was run again yet').waitFor();
    await deep.page.reload();
    await deep.page.getByText('此次重跑已不存在').waitFor();
    expect([...faults, ...deep.faults]).toEqual([]);
  });
});
