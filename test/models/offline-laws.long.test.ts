import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitParts } from '../../src/models/offline/split-parts.ts';
import { openOfflineTask } from './offline-task.ts';

const words = fc.constantFrom(
  ...['add a todo to', 'schedule', 'a meeting', 'buy milk', 'tomorrow', 'at 3pm', 'on Friday', 'and', 'then', ',', ';'],
  ...[
    'remind me',
    'show my todos',
    'mark todo 1 done',
    'delete todo',
    '添加待办',
    '安排',
    '明天下午三点',
    '然后',
    '、',
    '和',
  ],
  ...[
    '每周一',
    '提醒我',
    '"',
    '“',
    '--tag',
    '#home',
    '\\',
    'every day',
    'from 3 to 4',
    'what is',
    '?',
    '\n',
    '2',
    '看牙医',
  ],
);
const said = fc
  .array(fc.oneof({ weight: 9, arbitrary: words }, fc.string()), { maxLength: 14 })
  .map((w) => w.join(' '));

/** Answers that a task gets before it must have ended: more than it may ask. */
const ANSWERS_MAX = 10;

it('every task ends, whatever is asked and answered, and no answer of the model is ever rejected', async () => {
  await fc.assert(
    fc.asyncProperty(said, fc.array(said, { maxLength: 4 }), async (goal, answers) => {
      const offline = await openOfflineTask(goal, { limits: { max_steps: 200 } }).run();
      for (let i = 0; i < ANSWERS_MAX && offline.task.state === 'awaiting_user'; i += 1) {
        offline.task.answers(answers[i] ?? 'hm');
        await offline.run();
      }
      expect(offline.task.state).toBe('done');
      expect(offline.log.filter((line) => line.endsWith('.rejected'))).toEqual([]);
      const calls = offline.log.filter((line) => line.startsWith('ok ') || line.startsWith('failed '));
      expect(new Set(offline.task.context.observations.map((o) => `${o.item_id} ${o.input}`)).size).toBe(calls.length);
    }),
    { numRuns: 150 },
  );
});

it('no word of the goal is lost or moved when it is cut into parts of requests', () => {
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[b-z]{3,8}$/), { minLength: 1, maxLength: 6 }), (things) => {
      const goal = things.map((thing) => `add a todo to ${thing}`).join(' and ');
      expect(letters(splitParts(goal, { now: 0, timezone: 'UTC', language: 'en' }).join(' '))).toBe(
        letters(goal.replaceAll(' and ', ' ')),
      );
    }),
  );
});
