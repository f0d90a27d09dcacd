import { afterEach, describe, expect, it } from 'vitest';
import { possibleArrows, taskArrows } from '../../machines/arrows.ts';
import { type DrivenTask, guardedCatalogue, openTask } from '../support/machine/task-driver.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { arrowWords } = await import('../../src/console/machine/arrow-words.ts');

afterEach(() => speak('en'));

const CHINESE = /[\u4e00-\u9fff]/;

describe('why a transition of the machine is taken', () => {
  it.each(taskArrows().map(({ id, event, guard }) => ({ id, event, guard })))('is said in words: $id', (arrow) => {
    expect(arrowWords(arrow)).not.toMatch(/[a-z][A-Z]|\w\.\w| · /);
    speak('zh');
    expect(arrowWords(arrow)).toMatch(CHINESE);
  });

  it('is its event and guard where a later machine has others', () => {
    expect(arrowWords({ event: 'moon.rose', guard: 'isFull' })).toBe('moon.rose · isFull');
    expect(arrowWords({ event: 'moon.rose', guard: null })).toBe('moon.rose');
  });
});

/** The reasons for what may come next, without those that every open task has. */
const reasonsAt = ({ task }: DrivenTask): string[] =>
  possibleArrows(task)
    .filter(({ to, event }) => to !== null && event !== 'task.cancelled' && event !== 'machine.changed')
    .map(arrowWords);

describe('the reasons for what may come next', () => {
  const expires = 'nobody answers in time';

  it('are those of an approval while one waits', () => {
    const task = openTask({ catalogue: guardedCatalogue }).plans('Buy milk').acts('add milk');
    expect(reasonsAt(task)).toEqual(['you approve', 'you refuse', 'you approve', 'you refuse', expires]);
  });

  it('are those of a plan while it is shown', () => {
    const task = openTask({ confirm_plan: true }).plans('Buy milk');
    expect(reasonsAt(task)).toEqual(['you agree to the plan', 'you refuse the plan', 'you change the plan', expires]);
  });

  it('are an answer while the model asks', () => {
    expect(reasonsAt(openTask().plans('Buy milk').asks('Which?'))).toEqual(['you answer', expires]);
  });

  it('are those of a tool’s question while one waits', () => {
    const asked = openTask()
      .plans('Buy milk')
      .acts('delete 1')
      .send({
        type: 'tool.asked',
        effect: 3,
        tool: 'todo',
        input: 'delete 1',
        server: 'desk',
        requests: [{ kind: 'link', key: 'pay', message: 'Pay', url: 'https://pay.example/1', host: 'pay.example' }],
      });
    expect(reasonsAt(asked)).toEqual(['you answer the tool', expires]);
  });

  it('are to go on where a pause waits, or to be asked again where a question expired', () => {
    const asked = openTask().plans('Buy milk').asks('Which?');
    const expired = asked.send({ type: 'question.expired', expired_at: '2026-01-05T10:00:00.000Z' });
    expect(reasonsAt(expired)).toEqual(['you go on, and it asks again']);
    expect(reasonsAt(openTask().plans('Buy milk').losesModel())).toEqual(['you go on']);
  });
});
