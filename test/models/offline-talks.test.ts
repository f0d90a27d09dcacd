import { describe, expect, it } from 'vitest';
import type { ConversationTurn } from '../../contracts/task.ts';
import { openOwnerDatabase } from '../tools/owner-database.ts';
import { type OfflineTask, openOfflineTask } from './offline-task.ts';

const NOTE = /\n\n[(（][^\n]*(?:offline model|离线模型)[^\n]*$/u;

/** Opens a session of an owner without entries, on Saturday 2026-11-21 at 10:30 in Berlin. Its `say` opens a task, or answers the open question. */
const openOfflineSession = () => {
  const database = openOwnerDatabase();
  const conversation: ConversationTurn[] = [];
  let open: OfflineTask | null = null;
  let goal = '';
  return async (text: string) => {
    if (open === null) {
      goal = text;
      open = openOfflineTask(text, { conversation: [...conversation] }, undefined, database);
    } else open.task.answers(text);
    const { task, log } = await open.run();
    const { pending_final_response, last_ask_user_question, question_options, outcome } = task.context;
    if (task.state === 'awaiting_user')
      return {
        said: ['?', last_ask_user_question, question_options.join(' · ')].filter(Boolean).join(' '),
        outcome,
        log,
      };
    conversation.push({ said: goal, answered: pending_final_response ?? '' });
    open = null;
    return { said: (pending_final_response ?? '').replace(NOTE, ''), outcome, log };
  };
};

/** The user's words, and the answer, or `?` and the question with its options. */
type Exchange = [said: string, outcome: string];

/** Talks of one session, on Saturday 2026-11-21 at 10:30 in Berlin: what is said, and the answer, or `?` and the question with its options. */
const talks: [Exchange[]][] = [
  [
    [
      ['schedule a meeting at 3 tomorrow', '? Which time do you mean for “meeting”: 03:00 or 15:00? 03:00 · 15:00'],
      ['2', 'Done: Added #1 meeting  2026-11-22 15:00–16:00 (Sun)'],
    ],
  ],
  [
    [
      ['schedule a meeting yesterday at 10am', '? The time of “meeting” has passed. When is it instead?'],
      ['tomorrow', 'Done: Added #1 meeting  2026-11-22 10:00–11:00 (Sun)'],
    ],
  ],
  [
    [
      [
        'add a todo: pay rent A, add a todo: pay rent B',
        '2 of 2 done:\n1. add a todo: pay rent A\n   Added #1 pay rent A\n2. add a todo: pay rent B\n   Added #2 pay rent B',
      ],
      ['mark pay rent as done', '? Which one do you mean by “pay rent”? #1 pay rent A · #2 pay rent B'],
      ['2', 'Done: Done #2 ✓ pay rent B  done 2026-11-21 10:30 (Sat)'],
      ['delete all my todos', "? Delete all todos that are listed (1)? This can't be undone. yes · no"],
      ['yes', 'Done: Deleted #1 pay rent A'],
      ['show my todos', 'No todos.'],
    ],
  ],
  [
    [
      [
        'schedule a meeting with Anna tomorrow at 3pm',
        'Done: Added #1 meeting with Anna  2026-11-22 15:00–16:00 (Sun)',
      ],
      ['Move it to 4pm', 'Done: Updated #1 meeting with Anna  2026-11-22 16:00–17:00 (Sun)'],
      ['move it to friday', 'Done: Updated #1 meeting with Anna  2026-11-27 16:00–17:00 (Fri)'],
      ['delete it', 'Done: Deleted #1 meeting with Anna'],
    ],
  ],
  [
    [
      ['schedule standup every monday at 9am', 'Done: Added #1 standup  2026-11-23 09:00–10:00 (Mon)  every Mon'],
      ['move standup to every tuesday at 10am', 'Done: Updated #1 standup  2026-11-24 10:00–11:00 (Tue)  every Tue'],
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
      ['cancel my 5pm call', 'Not done: Nothing in your todos or on your schedule matches “5pm call”.'],
      ['cancel my call with Ann', 'Done: Deleted #2 call with Ann'],
      ['cancel my call', 'Done: Deleted #1 call with Bob'],
      ['清空我的日程', '离线模型做不到这件事：它只懂待办和日程。'],
      ['删除所有日程', '未完成：没有日程。'],
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
  [
    [
      ['Buy milk', 'Done: Added #1 Buy milk'],
      ['thanks', 'Glad to help.'],
      ['call mom tomorrow at 5pm', 'Done: Added #2 call mom  due 2026-11-22 17:00 (Sun)'],
      ['actually make it 6pm', 'Done: Updated #2 call mom  due 2026-11-22 18:00 (Sun)'],
      ['no, monday', 'Done: Updated #2 call mom  due 2026-11-23 18:00 (Mon)'],
      ['make it oat milk instead', 'The offline model cannot do that: it knows todos and schedules only.'],
    ],
  ],
  [
    [
      ['安排明天下午三点开会', '完成：已添加 #1 开会  2026-11-22 15:00–16:00（周日）'],
      ['改成四点', '? “开会”是 04:00 还是 16:00？ 04:00 · 16:00'],
      ['还是下午五点吧', '完成：已更新 #1 开会  2026-11-22 17:00–18:00（周日）'],
      ['不对，是周五', '完成：已更新 #1 开会  2026-11-27 17:00–18:00（周五）'],
      ['谢谢', '不客气。'],
      ['写一首诗', '离线模型做不到这件事：它只懂待办和日程。'],
    ],
  ],
  [
    [
      ['schedule a meeting', '? When is “meeting”?'],
      ['add a todo to buy milk', '? Please give the time of “meeting” in figures, as YYYY-MM-DD HH:MM.'],
      [
        'tomorrow at 3pm',
        '2 of 2 done:\n1. schedule a meeting\n   Added #1 meeting  2026-11-22 15:00–16:00 (Sun)\n2. add a todo to buy milk\n   Added #1 buy milk',
      ],
    ],
  ],
  [[["don't remind me tomorrow at 3pm", 'The offline model cannot do that: it knows todos and schedules only.']]],
  [
    [
      [
        'remind me every monday at 8am to put out the bins',
        'The offline model cannot do that: it knows todos and schedules only.',
      ],
      ['remind me in half an hour to check the oven', 'Done: Added #1 check the oven  remind 2026-11-21 11:00 (Sat)'],
    ],
  ],
  [
    [
      [
        'schedule a dentist tomorrow at 3pm and remind me to bring the card at 2pm',
        '? When should I remind you of “bring the card”?',
      ],
      [
        'tomorrow',
        '2 of 2 done:\n1. schedule a dentist tomorrow at 3pm\n   Added #1 dentist  2026-11-22 15:00–16:00 (Sun)\n2. remind me to bring the card at 2pm\n   Added #1 bring the card  remind 2026-11-22 14:00 (Sun)',
      ],
    ],
  ],
];

describe('a talk goes on from what was said before', () => {
  it.each(talks)('%j', async (exchanges) => {
    const say = openOfflineSession();
    for (const [text, outcome] of exchanges) expect(`${text}: ${(await say(text)).said}`).toBe(`${text}: ${outcome}`);
  });
});

describe('a greeting and a question about what it can do', () => {
  it.each(['hi', 'Hello!', 'help', 'what can you do?', 'who are you', '你好', '你能做什么？', '帮助'])(
    '"%s" is answered at once, without a plan',
    async (text) => {
      const { said, log, outcome } = await openOfflineSession()(text);
      expect(said).toMatch(/^(?:Hello! I can|你好！我可以)/);
      expect(log).toEqual(['plan 0', 'item done', 'done']);
      expect(outcome).toBe('completed');
    },
  );
});

it('gives a task up where nothing of it could be done, and not where a part was', async () => {
  const say = openOfflineSession();
  expect(await say('mark pay rent as done')).toMatchObject({ outcome: 'failed' });
  expect(await say('add a todo to buy milk, then order a pizza')).toMatchObject({ outcome: 'completed' });
});
