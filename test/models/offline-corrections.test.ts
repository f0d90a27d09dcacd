import { describe, it } from 'vitest';
import { type Exchange, expectTalk } from './offline-session.ts';

const talks: [Exchange[]][] = [
  [
    [
      ['Buy milk', 'Done: Added #1 Buy milk'],
      ['actually, add eggs too', 'Done: Added #2 eggs'],
      ['再加个面包', '完成：已添加 #3 面包'],
      ['add a meeting as well', '? When is “meeting”?'],
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
      [
        'add a todo to buy milk',
        '? I could not read a time in that. On which day and at what time is “meeting”, for example tomorrow 15:00?',
      ],
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
        'remind me every monday at 8 to put out the bins',
        'Done: Added #1 put out the bins  2026-11-23 08:00–08:15 (Mon)  every Mon  remind 2026-11-23 08:00 (Mon)',
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

describe('a correction moves what was just made; a second request is done; what is not understood whole is not done', () => {
  it.each(talks)('%j', expectTalk);
});
