import { beforeAll, expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { accessibilityFaults } from '../support/console/accessibility.ts';
import { describeInBrowser } from '../support/console/browser.ts';
import { keptBuild } from '../support/console/kept-build.ts';
import { answer, done, plan, startService } from '../support/service/service.ts';

beforeAll(() => keptBuild());

/** Whether the thumbs of the first answer are seen. */
const OPACITY = `getComputedStyle(document.querySelector('[aria-label="Good answer"]').parentElement).opacity`;

const answered = (text: string) => [plan('Book a table'), done(), answer(text)];

describeInBrowser("the console's feedback on answers", (open) => {
  it('rates an answer, takes a note with a bad one, and shows, changes and removes it', async () => {
    const service = await startService([...answered('It is on Friday.'), ...answered('On Saturday then.')]);
    const { id } = await service.say('s1', 'Book a table');
    await service.say('s1', 'On Saturday');
    const given = async () => (await service.get<TurnView>(`/v1/turns/${id}`)).feedback;
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const turn = page.locator(`[data-turn="${id}"]`);
    const good = turn.getByRole('button', { name: 'Good answer' });
    const bad = turn.getByRole('button', { name: 'Bad answer' });
    await turn.getByText('It is on Friday.').waitFor();
    const shown = () => page.evaluate(OPACITY);
    expect(await shown()).toBe('0');
    // What is not seen yet stands behind all else.
    const [thumb, time] = await Promise.all([good.boundingBox(), turn.locator('time').boundingBox()]);
    expect(thumb!.x).toBeGreaterThan(time!.x + time!.width);
    await good.focus();
    expect(await shown()).toBe('1');
    await page.keyboard.press('Enter');
    await expect.poll(given).toMatchObject({ rating: 'up', by: { via: 'console' } });
    await expect.poll(() => good.getAttribute('aria-pressed')).toBe('true');

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const note = turn.getByRole('textbox', { name: 'What was wrong?' });
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    expect(await given()).toMatchObject({ rating: 'down' });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.type('It was for Saturday');
    await page.reload();
    expect(await note.inputValue()).toBe('It was for Saturday');
    await note.press('Enter');
    await turn.getByText('It was for Saturday').waitFor();
    expect(await given()).toMatchObject({ rating: 'down', note: 'It was for Saturday' });
    await page.reload();
    await turn.getByText('It was for Saturday').waitFor();
    expect(await shown()).toBe('1');
    expect(await accessibilityFaults(page)).toEqual([]);

    await turn.getByRole('button', { name: 'Edit the note' }).click();
    await note.fill('Saturday, at eight');
    await turn.getByRole('button', { name: 'Save' }).click();
    await turn.getByText('Saturday, at eight').waitFor();
    await turn.getByRole('button', { name: 'Edit the note' }).click();
    await note.fill('Never mind');
    await note.press('Escape');
    await turn.getByText('Saturday, at eight').waitFor();
    await turn.getByRole('button', { name: 'Remove the note' }).click();
    await turn.getByRole('button', { name: 'What was wrong?' }).waitFor();
    expect(await given()).not.toHaveProperty('note');
    await bad.click();
    await expect.poll(given).toBeUndefined();
    await expect.poll(() => bad.getAttribute('aria-pressed')).toBe('false');
    expect(faults).toEqual([]);
  });

  it('says why feedback was not taken, and keeps what was written', async () => {
    const service = await startService(answered('It is on Friday.'));
    const { id } = await service.say('s1', 'Book a table');
    const { page, faults } = await open(`${service.url}/console/sessions/s1`);
    const turn = page.locator(`[data-turn="${id}"]`);
    await turn.getByText('It is on Friday.').waitFor();
    await turn.hover();
    await turn.getByRole('button', { name: 'Bad answer' }).click();
    const note = turn.getByRole('textbox', { name: 'What was wrong?' });
    await note.fill('It was for Saturday');
    await page.route('**/feedback', (route) => route.abort());
    await note.press('Enter');
    await turn.getByRole('alert').getByText('The service does not answer').waitFor();
    expect(await note.inputValue()).toBe('It was for Saturday');
    await page.unroute('**/feedback');
    await note.press('Enter');
    await turn.getByText('It was for Saturday').waitFor();
    expect(faults).toEqual([]);
  });

  it('is offered on a phone without a pointer, and not in the past; the list finds bad answers', async () => {
    const service = await startService([...answered('It is on Friday.'), ...answered('Fine.')]);
    const { id } = await service.say('bad', 'Book a table');
    await service.say('good', 'Book another one');
    const phone = await open(`${service.url}/console/sessions/bad`, { width: 390, language: 'zh' });
    const thumb = phone.page.getByRole('button', { name: '回答得不好' });
    const { width, height } = (await thumb.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
    await thumb.click();
    await phone.page.getByRole('textbox', { name: '哪里不对？' }).fill('应该是周六');
    expect(await accessibilityFaults(phone.page)).toEqual([]);
    await phone.page.getByRole('button', { name: '保存' }).click();
    await phone.page.getByText('应该是周六').waitFor();

    const { page, faults } = await open(`${service.url}/console/sessions/bad?seq=2`);
    await page.getByRole('button', { name: 'Back to now' }).first().waitFor();
    await page.locator(`[data-turn="${id}"]`).waitFor();
    expect(await page.getByRole('button', { name: 'Bad answer' }).count()).toBe(0);
    await page.goto(`${service.url}/console/sessions/bad`);
    const list = page.getByRole('region', { name: 'Sessions' });
    await list.getByText('Book another one').waitFor();
    await list.getByRole('img', { name: '1 bad answer' }).waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Feedback' }).selectOption('Bad answers');
    await list.getByText('Book another one').waitFor({ state: 'detached' });
    await list.getByText('Book a table').waitFor();
    expect([...faults, ...phone.faults]).toEqual([]);
  });
});
