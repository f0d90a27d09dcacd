import { describe, expect, it } from 'vitest';
import { type Exchange, expectTalk, openOfflineSession } from './offline-session.ts';

/** Talks of one session, on Saturday 2026-11-21 at 10:30 in Berlin: what is said, and the answer, or `?` and the question with its options. */
const talks: [Exchange[]][] = [
  [
    [
      ["3 o'clock in the afternoon tomorrow", "? What is the event called? (“3 o'clock in the afternoon tomorrow”)"],
      ['dentist', 'Done: Added #1 dentist  2026-11-22 15:00–16:00 (Sun)'],
    ],
  ],
  [
    [
      ['schedule a meeting at 3 tomorrow', '? Which time do you mean for “meeting”: 03:00 or 15:00? 03:00 · 15:00'],
      ['2', 'Done: Added #1 meeting  2026-11-22 15:00–16:00 (Sun)'],
    ],
  ],
  [
    [
      [
        'schedule a meeting yesterday at 10am',
        '? The time of “meeting” could not be used: it has passed. When is it instead?',
      ],
      ['tomorrow', 'Done: Added #1 meeting  2026-11-22 10:00–11:00 (Sun)'],
    ],
  ],
  [
    [
      [
        'add todos: pay rent A, pay rent B',
        '2 of 2 done:\n1. Add a todo: pay rent A\n   Added #1 pay rent A\n2. Add a todo: pay rent B\n   Added #2 pay rent B',
      ],
      ['mark pay rent as done', '? Which one do you mean by “pay rent”? #1 pay rent A · #2 pay rent B'],
      ['2', 'Done: Done #2 ✓ pay rent B  done 2026-11-21 10:30 (Sat)'],
    ],
  ],
  [
    [
      [
        'add todos: a, b, c',
        '3 of 3 done:\n1. Add a todo: a\n   Added #1 a\n2. Add a todo: b\n   Added #2 b\n3. Add a todo: c\n   Added #3 c',
      ],
      ['delete all my todos', "? Delete all todos that are listed (3)? This can't be undone. yes · no"],
      ['yes', 'Done: Deleted #1 a\nDeleted #2 b\nDeleted #3 c'],
      ['show my todos', 'No todos.'],
    ],
  ],
  [
    [
      [
        'schedule a meeting with Anna tomorrow at 3pm',
        'Done: Added #1 meeting with Anna  2026-11-22 15:00–16:00 (Sun)',
      ],
      ['When do I meet Anna?', '#1 meeting with Anna  2026-11-22 15:00–16:00 (Sun)'],
      ['Move it to 4pm', 'Done: Updated #1 meeting with Anna  2026-11-22 16:00–17:00 (Sun)'],
      ['postpone it by 30 minutes', 'Done: Updated #1 meeting with Anna  2026-11-22 16:30–17:30 (Sun)'],
      ['move it to friday', 'Done: Updated #1 meeting with Anna  2026-11-27 16:30–17:30 (Fri)'],
      ['delete it', 'Done: Deleted #1 meeting with Anna'],
    ],
  ],
  [
    [
      ['schedule lunch on tuesday at 1pm', 'Done: Added #1 lunch  2026-11-24 13:00–14:00 (Tue)'],
      [
        'am I free on tuesday afternoon?',
        'You are not free 2026-11-24 12:00–18:00:\n#1 lunch  2026-11-24 13:00–14:00 (Tue)',
      ],
      ['am I free on tuesday morning?', 'You are free: nothing is on your schedule 2026-11-24 06:00–12:00.'],
      [
        'am I free on tuesday at 1:30pm?',
        'You are not free 2026-11-24 13:30–14:30:\n#1 lunch  2026-11-24 13:00–14:00 (Tue)',
      ],
    ],
  ],
  [
    [
      ['schedule standup every monday at 9am', 'Done: Added #1 standup  2026-11-23 09:00–10:00 (Mon)  every Mon'],
      ['move standup to 10am', 'Done: Updated #1 standup  2026-11-23 10:00–11:00 (Mon)  every Mon'],
      [
        'move it to tuesday',
        'Not done: “standup” repeats: please say its new day and hour, such as every Monday at 16:00.',
      ],
    ],
  ],
  [
    [
      [
        'schedule a call with Bob tomorrow at 3pm and schedule a call with Ann tomorrow at 5pm',
        '2 of 2 done:\n1. schedule a call with Bob tomorrow at 3pm\n   Added #1 call with Bob  2026-11-22 15:00–16:00 (Sun)\n2. schedule a call with Ann tomorrow at 5pm\n   Added #2 call with Ann  2026-11-22 17:00–18:00 (Sun)',
      ],
      ['cancel my 5pm call', 'Done: Deleted #2 call with Ann'],
      ['cancel my call with Bob', 'Done: Deleted #1 call with Bob'],
    ],
  ],
  [[['取消明天的会议', '未完成：待办和日程里都没有与“明天的会议”相符的内容。']]],
  [
    [
      [
        'add a todo to buy milk and send an email to Bob',
        '1 of 2 done:\n1. add a todo to buy milk\n   Added #1 buy milk\n2. send an email to Bob\n   Not done: the offline model does not understand this request; it knows todos and schedules only.',
      ],
    ],
  ],
];

describe('a talk goes on from what was said before', () => {
  it.each(talks)('%j', expectTalk);
});

describe('a greeting and a question about what it can do', () => {
  it.each(['hi', 'Hello!', 'help', 'what can you do?', 'who are you', '你好', '你能做什么？', '帮助'])(
    '"%s" is answered at once, without a plan',
    async (text) => {
      const { answer, log, outcome } = await openOfflineSession().say(text);
      expect(answer).toMatch(/^(?:Hello! I can|你好！我可以)/);
      expect(log).toEqual(['plan 0', 'item done', 'done']);
      expect(outcome).toBe('completed');
    },
  );
});

it('gives a task up where nothing of it could be done, and not where a part was', async () => {
  const session = openOfflineSession();
  expect(await session.say('mark pay rent as done')).toMatchObject({ outcome: 'failed' });
  expect(await session.say('add a todo to buy milk, then order a pizza')).toMatchObject({ outcome: 'completed' });
});
