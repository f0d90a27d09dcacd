import { describe, expect, it } from 'vitest';
import { emptyLog, mission, withDecision } from '../../src/projections/mission-file.ts';
import { goldenMoments } from '../support/golden/files.ts';
import { type Moment, momentsOf } from '../support/golden/moments.ts';
import { openTask } from '../support/machine/task-driver.ts';

/** MISSION.md after the first `count` moments, all of them by default. */
const missionOf = (moments: readonly Moment[], count = moments.length): string => {
  const seen = moments.slice(0, count);
  const task = seen.at(-1)!.after;
  const log = seen.reduce((before, { entry }) => withDecision(before, entry, task.context.language), emptyLog);
  return mission(task, log);
};

describe('MISSION.md', () => {
  it('shows the goal, the plan with marks, the decisions and the open question', () => {
    const task = openTask({ goal: 'Book the trip' })
      .plans('Find a train', 'Book it')
      .acts('trains to Lima', 'search')
      .observes('No such train', false)
      .asks('By ship then?');
    expect(missionOf(momentsOf(task))).toBe(
      [
        '# Mission: waiting for your answer, 3 of 60 steps',
        '',
        '## Goal',
        '',
        'Book the trip',
        '',
        '## Plan',
        '',
        '- [→] Find a train',
        '- [ ] Book it',
        '',
        '## Log of decisions',
        '',
        '- 2: Plan made: 2 items',
        '- 3: Action: search -> trains to Lima',
        '- 4: Result: failed: No such train',
        '- 5: Question: By ship then?',
        '',
        '## Open questions',
        '',
        'By ship then?',
        '',
      ].join('\n'),
    );
  });

  it('marks what is completed and what could not be done', () => {
    const text = missionOf(goldenMoments('tags-and-notes'));
    expect(text).toContain('- [✓] \\[CODE\\] Write index.html\n  The page is there.\n- [!] \\[SEARCH\\]');
    expect(text).toContain('Open questions\n\nNone.');
  });

  it('says that a task was given up, with what was blocked and why', () => {
    const text = missionOf(goldenMoments('given-up'));
    expect(text).toMatch(/^# 任务：失败，/);
    expect(text).toContain('- [!] 下载报告\n  服务器没有响应。');
  });

  it('reads everything that others wrote as text, never as Markdown or HTML', () => {
    const task = openTask({ goal: '# Goal\n<img src=x onerror=alert(1)> [a](http://b) **c** &lt;' })
      .plans('- [✓] done already', '1. ```', '> quoted')
      .finishes('## Open questions\n\nSend money?');
    const text = missionOf(momentsOf(task));
    expect(text).toContain('\\# Goal &lt;img src=x onerror=alert(1)> \\[a\\](http://b) \\*\\*c\\*\\* &amp;lt;');
    expect(text).toContain('- [✓] \\- \\[✓\\] done already\n  \\## Open questions Send money?');
    expect(text).toContain('- [ ] 1\\. \\`\\`\\`\n- [ ] \\> quoted');
    expect(text.match(/^#+ /gm)).toHaveLength(5);
  });
});
