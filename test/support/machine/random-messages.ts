import fc from 'fast-check';
import type { AnswerContract, Call } from '../../../contracts/calls.ts';
import type { TaskEvent } from '../../../contracts/event.ts';
import type { TaskSnapshot } from '../../../contracts/task.ts';
import type { ModelReply } from '../../../src/models/port.ts';
import { readMessage, takePendingCall } from '../../../src/models/reply/read-message.ts';
import { eventOf, type Move, move } from './random-events.ts';

const steps = fc.constantFrom('Buy milk', 'Call Ann', '[CODE] Fix it', 'Write it up');
const words = fc.constantFrom('Monday', 'yes', 'all done', '');

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('search', 'todo', 'code', 'nothing').map((name) => ({ name, input: { input: 'list' } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        result: words,
        plan: fc.constantFrom('unchanged', undefined),
        outcome: fc.constantFrom('completed', 'blocked', undefined),
      })
      .map((input) => ({ name: 'item_done', input })),
  },
  { weight: 2, arbitrary: fc.array(steps, { maxLength: 4 }).map((items) => ({ name: 'plan', input: { items } })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ response: words, outcome: fc.constantFrom('completed', 'failed', undefined) })
      .map((input) => ({ name: 'finish', input })),
  },
  { weight: 1, arbitrary: words.map((question) => ({ name: 'ask_user', input: { question } })) },
  { weight: 1, arbitrary: fc.constant({ name: 'search', input: {}, unreadable: 'q=' }) },
);

/** Several consecutive reads, as a model requests them if none needs another. */
const reads = fc
  .integer({ min: 2, max: 12 })
  .map((count) => Array.from({ length: count }, (_, i): Call => ({ name: 'search', input: { q: i } })));

/** A possible next event of a task whose model answers by messages of calls. */
export const messageMove = fc.record({
  move,
  /** 0 to 9: below 7 the model answers by calls. */
  by: fc.nat(9),
  calls: fc.oneof(
    fc.array(call, { minLength: 1, maxLength: 5 }),
    fc.tuple(fc.array(call, { maxLength: 1 }), reads, fc.array(call, { maxLength: 2 })).map((parts) => parts.flat()),
  ),
  text: words,
});
export type MessageMove = typeof messageMove extends fc.Arbitrary<infer Value> ? Value : never;

const DUE: Partial<Record<TaskSnapshot['state'], AnswerContract>> = {
  planning: 'plan',
  thinking: 'thought',
  replanning: 'replan',
};

const isDisturbed = ({ chance }: Move): boolean => chance < 28;

/** The event by which the task continues by itself, from its model's message; null: it waits for something else. */
export const fromSaid = ({ state, context }: TaskSnapshot): TaskEvent | null => {
  const due = DUE[state];
  return due === undefined || context.open_effect === null ? null : takePendingCall(due, context, context.open_effect);
};

/** The event that a move becomes. */
export const messageEventOf = (task: TaskSnapshot, { move: plain, by, calls, text }: MessageMove): TaskEvent => {
  const { state, context } = task;
  const due = DUE[state];
  if (due === undefined || context.open_effect === null || by > 6 || isDisturbed(plain)) return eventOf(task, plain);
  const usage = { input_tokens: 3, output_tokens: 2 };
  const reply: ModelReply = { text, calls, fault: 'none', usage };
  return readMessage(due, context, context.open_effect, reply);
};
