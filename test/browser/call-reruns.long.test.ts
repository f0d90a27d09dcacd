import { beforeAll, expect, it } from 'vitest';
import { apiError } from '../support/anthropic/answers.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { shutGate } from '../support/service/gate.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

beforeAll(() => keptBuild());

const tea = [plan('Note tea'), act('todo', 'add tea'), done('Noted'), answer('Tea is on the list.')];
const env = { TRIPACT_MODEL: 'anthropic:m', TRIPACT_FALLBACK_MODEL: 'anthropic:spare' };
const prices = { currency: 'USD', models: { m: { input: 3, output: 15 } } };

/** A service with a task that is done, and the address of the call that answered it. */
const openRecorded = async (more: Record<string, string> = {}, headers: Record<string, string> = {}) => {
  const service = await startService(tea, { ...env, ...more }, { file: { prices } });
  const turn = await service.post('/v1/sessions/tea/turns', { input: 'Put tea on the list' }, headers);
  const { task_id } = (await turn.json()) as { task_id: string };
  const trace = await (await fetch(`${service.url}/v1/tasks/${task_id}/trace`, { headers })).text();
  const { seq } = JSON.parse(trace.trimEnd().split('\n').at(-1)!) as { seq: number };
  return { service, trace, task_id, address: `${service.url}/console/sessions/tea?tab=timeline&call=${seq}` };
};

describeInBrowser('a model call in the inspector', (open) => {
  it('is made again with an edited prompt, and the new answer stands beside the recorded one', async () => {
    const { service, trace, task_id, address } = await openRecorded();
    const { page, faults } = await open(address);
    await page.getByRole('button', { name: 'Run again…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Run this call again' });
    const recorded = dialog.getByRole('region', { name: 'Recorded', exact: true });
    await recorded.getByText('Tea is on the list.').waitFor();
    await recorded.getByText('The contract takes it').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);

    await dialog.locator('summary', { hasText: 'Put tea on the list' }).press('Enter');
    const text = dialog.getByRole('textbox', { name: /^Text \d+$/ });
    await text.fill((await text.inputValue()).replace('tea', 'coffee'));
    await dialog.getByText('edited').waitFor();
    // The address opens it again, and the edited text is a draft of the tab.
    await page.reload();
    await dialog.getByText('edited').waitFor();
    service.model.answer([answer('Coffee is on the list.')]);
    await dialog.getByRole('button', { name: 'Run', exact: true }).press('Enter');
    const again = dialog.getByRole('region', { name: 'Again', exact: true });
    await again.getByText('Coffee is on the list.').waitFor();
    expect(service.model.requests.at(-1)!.body.messages[0]!.content).toContain('Put coffee on the list');
    expect(await again.locator('ins').allInnerTexts()).toEqual([expect.stringContaining('Coffee')]);
    expect(await recorded.locator('del').allInnerTexts()).toEqual([expect.stringContaining('Tea')]);
    const [left, right] = [await recorded.boundingBox(), await again.boundingBox()];
    expect([left!.y, left!.x + left!.width < right!.x]).toEqual([right!.y, true]);
    for (const each of [recorded, again])
      expect(await each.getByRole('definition').allInnerTexts()).toContain('$0.00011');
    expect(await accessibilityFaults(page)).toEqual([]);

    service.model.answer([{ nonsense: true }, apiError(400, { text: 'no such model' })]);
    await dialog.getByRole('button', { name: 'As recorded' }).click();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await again.getByText('The contract refuses it').waitFor();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await again.getByText('no such model').waitFor();

    const { opened, open: close } = shutGate();
    service.model.answer([(response) => void response.on('close', close)]);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByText('Asking the model', { exact: true }).waitFor();
    await service.model.asked(8);
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await opened;
    await dialog.getByRole('button', { name: 'Run', exact: true }).waitFor();

    await dialog.getByLabel('Model', { exact: true }).fill('offline');
    await dialog.getByLabel('Model', { exact: true }).press('Tab');
    await dialog.getByText('This model has no prompts').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await (await fetch(`${service.url}/v1/tasks/${task_id}/trace`)).text()).toBe(trace);
    expect(faults).toEqual([]);
  });

  it('does so on a phone in Chinese and the dark, the answers below each other', async () => {
    const { service, address } = await openRecorded();
    const { page, faults } = await open(address, { width: 390, language: 'zh', colorScheme: 'dark' });
    await page.getByRole('button', { name: '重跑…' }).click();
    const dialog = page.getByRole('dialog', { name: '重跑此次调用' });
    service.model.answer([answer('清单上有茶。')]);
    await dialog.getByRole('button', { name: '运行', exact: true }).click();
    const again = dialog.getByRole('region', { name: '重跑', exact: true });
    await again.getByText('清单上有茶。').waitFor();
    const recorded = await dialog.getByRole('region', { name: '录制', exact: true }).boundingBox();
    expect(recorded!.y + recorded!.height).toBeLessThan((await again.boundingBox())!.y);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('offers a user the models of the configuration, and no rerun of whole tasks', async () => {
    const key = 'key-of-ada-0123456789';
    const keys = { TRIPACT_API_KEYS: `ada:${key},ops:key-of-ops-0123456789`, TRIPACT_OPERATORS: 'ops' };
    const { service, address } = await openRecorded(keys, { authorization: `Bearer ${key}` });
    const { page, faults } = await open(address);
    await page.locator('input[type=password]').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Run again…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run this call again' });
    const model = dialog.getByRole('combobox', { name: 'Model' });
    await model.waitFor();
    expect(await model.getByRole('option').allInnerTexts()).toEqual(['anthropic:m', 'anthropic:spare']);
    await model.selectOption('anthropic:spare');
    service.model.answer([answer('Spare tea.')]);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByRole('region', { name: 'Again', exact: true }).getByText('anthropic:spare').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Run again…' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
