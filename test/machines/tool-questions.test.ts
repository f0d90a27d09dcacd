import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../contracts/event.ts';
import type { FormSchema, ToolRequest } from '../../contracts/tool-question.ts';
import { readForm } from '../../machines/form.ts';
import { EventNotAccepted } from '../../machines/step.ts';
import { questionId } from '../../src/projections/question.ts';
import { replyOf } from '../../src/projections/reply.ts';
import { taskView } from '../../src/projections/task-view.ts';
import { openTask, type TaskOptions } from '../support/machine/task-driver.ts';

const day: FormSchema = {
  type: 'object',
  properties: {
    day: {
      type: 'string',
      title: 'Day',
      oneOf: [
        { const: 'mon', title: 'Monday' },
        { const: 'fri', title: 'Friday' },
      ],
    },
  },
  required: ['day'],
};
const form = (schema: FormSchema, message = 'When shall it be?'): ToolRequest => ({
  kind: 'form',
  key: 'in:a',
  message,
  schema,
});
const link: ToolRequest = {
  kind: 'link',
  key: 'in:b',
  message: 'Pay here',
  url: 'https://pay.example/1',
  host: 'pay.example',
};
const signIn: ToolRequest = {
  kind: 'sign_in',
  key: 'si:',
  message: '',
  url: 'http://127.0.0.1:8787/x',
  host: '127.0.0.1:8787',
};

const asking = (requests: ToolRequest[], { state, ...options }: TaskOptions & { state?: string } = {}) => {
  const task = openTask(options).plans('A', 'B').acts('delete 1');
  const asked: EventOf<'tool.asked'> = {
    type: 'tool.asked',
    effect: task.context.open_effect ?? 0,
    tool: 'todo',
    input: 'delete 1',
    server: 'desk',
    requests,
    ...(state !== undefined && { state }),
  };
  return task.send(asked);
};

describe('A tool that asks its user', () => {
  it('waits at no cost, and goes on under the number of its first effect with what it was answered', () => {
    const task = asking([form(day)], { state: 'opaque' });
    const { step_count } = task.context;
    expect(replyOf(task.task).output).toContain('The server "desk" asks this for "todo":\n\nWhen shall it be?');
    expect(replyOf(task.task).options).toEqual(['Monday', 'Friday', 'decline']);
    task.answers('the second');
    expect(task.effects).toMatchObject([
      {
        type: 'tool.call',
        params: {
          tool: 'todo',
          input: 'delete 1',
          resumed: {
            effect: 3,
            answers: [{ key: 'in:a', action: 'accept', content: { day: 'fri' } }],
            earlier: [],
            state: 'opaque',
          },
        },
      },
    ]);
    expect(task.context.step_count).toBe(step_count);
    task.observes('Deleted');
    expect(task.context.tool_question).toBeNull();
  });

  it('is asked again with what is wrong, under another id, for an answer that does not fit', () => {
    const task = asking([form(day)]);
    const first = questionId(taskView(task.task));
    task.answers('some day');
    expect(task.state).toBe('awaiting_user');
    expect(replyOf(task.task).output).toContain('That does not fit:\n- Day: one of Monday, Friday');
    expect(questionId(taskView(task.task))).not.toBe(first);
    expect(task.answers('Monday').state).toBe('acting');
  });

  it('asks one thing after the other, and tells its server of a no', () => {
    const task = asking([form(day), link]);
    task.answers('no');
    expect(replyOf(task.task).output).toContain('wants you to visit a page at pay.example');
    expect(taskView(task.task).tool_question).toMatchObject({
      kind: 'link',
      url: 'https://pay.example/1',
      host: 'pay.example',
    });
    task.answers('done');
    expect(task.effects).toMatchObject([
      { params: { resumed: { answers: [{ action: 'decline' }, { key: 'in:b', action: 'accept' }] } } },
    ]);
  });

  it('keeps the answers of its earlier rounds', () => {
    const task = asking([form(day)]).answers('Monday');
    const asked = { type: 'tool.asked', tool: 'todo', input: 'delete 1', server: 'desk', requests: [link] } as const;
    task.send({ ...asked, requests: [link], effect: task.context.open_effect ?? 0 }).answers('done');
    expect(task.effects).toMatchObject([
      {
        params: {
          resumed: { effect: 3, answers: [{ key: 'in:b' }], earlier: [{ key: 'in:a', content: { day: 'mon' } }] },
        },
      },
    ]);
  });

  it('takes other words than yes to a link for a no, and the model hears them', () => {
    const task = asking([link]).answers('I do not trust that page');
    expect(task.effects).toMatchObject([{ params: { resumed: { answers: [{ action: 'decline' }] } } }]);
    expect(task.context.clarification_history).toMatchObject([{ text: 'I do not trust that page' }]);
    expect(task.observes('declined', false).state).toBe('replanning');
  });

  it('goes on by itself once its user has signed in at its server, and at no other', () => {
    const signed = (server: string) =>
      asking([signIn]).send({ type: 'answer.received', turn_id: 't', text: 'Signed in', signed_in: server });
    expect(signed('desk').effects).toMatchObject([{ params: { resumed: { answers: [{ action: 'accept' }] } } }]);
    expect(() => signed('shop')).toThrow(EventNotAccepted);
  });

  it('is asked again after its question expired, and given up where the plan is edited', () => {
    const task = asking([form(day)]).send({ type: 'question.expired', expired_at: '2026-01-05T10:00:00.000Z' });
    expect(task.state).toBe('paused');
    expect(task.resumes().answers('Monday').state).toBe('acting');
    const edited = asking([form(day)]).edits({ kind: 'add', step: 'C' });
    expect(replyOf(edited.task).output).toContain('"todo" did not go on');
    expect(edited.answers('yes').state).toBe('replanning');
    expect(edited.context.tool_question).toBeNull();
  });
});

describe('An answer to a form', () => {
  const schema: FormSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 8 },
      window: { type: 'boolean', default: false },
      meals: { type: 'array', items: { anyOf: [{ const: 'veg', title: 'Vegetarian' }, { const: 'fish' }] } },
    },
    required: ['name', 'seats'],
  };
  const read = (text: string, of = schema) => readForm(of, text, 'en');
  const whole = { name: 'Ada', seats: 2, window: false, meals: ['veg', 'fish'] };

  it.each([
    'name: Ada\nSeats: 2\nmeals: Vegetarian, fish',
    'name：Ada\n- seats： 2\nmeals：vegetarian、fish',
    '{"name":"Ada","seats":2,"meals":["veg","fish"]}',
  ])('is read from %j', (text) => {
    expect(read(text)).toEqual({ content: whole });
  });

  it.each([
    ['name: A\nseats: 9', ['- name: at least 2 characters', '- Seats: at most 8']],
    ['{"name":"Ada","seats":"2"}', ['- Seats: a number']],
    ['{"name":"Ada","seats":2,"__proto__x":1}', ['- __proto__x: is no field of this form']],
    ['name: Ada\nmeals: meat', ['- Seats: is missing', '- meals: some of Vegetarian, fish, with commas between']],
  ])('%j is refused with a reason a field', (text, faults) => {
    expect(read(text)).toEqual({ faults });
  });

  it('is the text itself for one field', () => {
    const only = (field: FormSchema['properties'][string]): FormSchema => ({
      type: 'object',
      properties: { it: field },
      required: ['it'],
    });
    expect(read('no, thanks: none', only({ type: 'string' }))).toEqual({ content: { it: 'no, thanks: none' } });
    expect(read('ada@example.com', only({ type: 'string', format: 'email' }))).toEqual({
      content: { it: 'ada@example.com' },
    });
    expect(read('2026-02-30', only({ type: 'string', format: 'date' }))).toEqual({
      faults: ['- it: a date as YYYY-MM-DD'],
    });
    expect(read('好的', only({ type: 'boolean' }))).toEqual({ content: { it: true } });
  });
});
