import { act, ask, done, finished, planned, replanned } from './answers.ts';
import type { GoldenSession } from './session.ts';

/** Golden scripts of tasks that get their work done. */
export const workScripts: Record<string, (session: GoldenSession) => void> = {
  'straight-answer': (session) => {
    const task = session.openTask('What is the capital of Peru?');
    task.model(planned());
    task.model(done('Lima is the capital of Peru.'));
    task.model(finished('The capital of Peru is Lima.'));
  },
  'two-items-with-tools': (session) => {
    const task = session.openTask('Add milk to my todos and put a dentist visit on Friday 10:00');
    task.model(planned('Add milk to the todos', 'Schedule the dentist visit'));
    task.model(act('todo', 'add milk'));
    task.tool('Added todo 1: milk');
    task.model(done('Milk is todo 1.'));
    task.model(replanned('Schedule the dentist visit'));
    task.model(`Here it is:\n\`\`\`json\n${act('schedule', 'add "2026-01-09 10:00" Dentist --duration 30')}\n\`\`\``);
    task.tool('Scheduled 1: Dentist, Fri 2026-01-09 10:00');
    task.model(done());
    task.model(finished('Milk is on your list, and the dentist is set for Friday at 10:00.'));
  },
  'two-items-in-chinese': (session) => {
    const task = session.openTask('把牛奶加入待办，再查一下明天的天气');
    task.model(planned('把牛奶加入待办', '查明天的天气'));
    task.model(act('todo', 'add 牛奶'));
    task.tool('已添加待办 1：牛奶');
    task.model('牛奶已经加入待办。\n[完成]');
    task.model(replanned('查明天的天气'));
    task.model(act('internet_search', '明天 天气'));
    task.tool('网络不可用', false);
    task.model(done('搜索失败，查不到天气。'));
    task.model(finished('牛奶已加入待办；天气没有查到，因为搜索不可用。'));
  },
  'dependencies-out-of-order': (session) => {
    const task = session.openTask('Write and publish the weekly report');
    task.model(
      planned(
        { id: 'publish', step: 'Publish the report', depends_on: ['write', 'review'] },
        { id: 'write', step: 'Write the report', expected: 'One page' },
        { id: 'review', step: 'Review the report', depends_on: ['write'] },
      ),
    );
    task.model(act('coding_agent', 'write the report'));
    task.tool('report.md written');
    task.model(done('report.md is written.'));
    task.model(
      replanned(
        { id: 'publish', step: 'Publish the report', depends_on: ['write', 'review'] },
        { id: 'review', step: 'Review the report', depends_on: ['write'] },
      ),
    );
    task.model(done('The report reads well.'));
    task.model(replanned({ id: 'publish', step: 'Publish the report', depends_on: ['write', 'review'] }));
    task.model(act('todo', 'add tell the team'));
    task.tool('Added todo 1: tell the team');
    task.model(done('Published.'));
    task.model(finished('The report is written, reviewed and published.'));
  },
  'tags-and-notes': (session) => {
    const task = session.openTask('Build a small web page', { limits: { max_plan_items: 3 } });
    task.model(
      planned(
        '[CODE] Write index.html',
        '[SEARCH] Find a colour scheme',
        { id: 'check', step: 'Check the page', tools: ['browser', 'internet_search'] },
        'Publish it',
      ),
    );
    task.model(act('coding_agent', 'write index.html'));
    task.tool('index.html written');
    task.model('The page is there.\nSTEP_DONE');
    task.model(replanned('[SEARCH] Find a colour scheme'));
    task.model('{"control":"replan"}');
    task.model(finished('index.html is written; no colour scheme was found.'));
  },
  'item-repeated-by-replan': (session) => {
    const task = session.openTask('Collect three quotes');
    task.model(planned('Find the first quote', 'Find the others'));
    task.model(done('Quote one: know thyself.'));
    task.model(replanned('Find the first quote'));
    task.model(replanned('Find the first quote', 'Find the second quote', 'Find the third quote'));
    task.model(done('Quote two: nothing in excess.'));
    task.model(replanned('Find the third quote'));
    task.model(act('internet_search', 'Delphi third maxim'));
    task.tool('Surety brings ruin');
    task.model(done());
    task.model(finished('Know thyself; nothing in excess; surety brings ruin.'));
  },
  'ask-and-answer': (session) => {
    const task = session.openTask('Book the usual meeting');
    task.model(planned('Schedule the meeting'));
    task.model(ask('When shall the meeting be?'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'Monday at nine' });
    task.model(replanned('Schedule the meeting for Monday 09:00'));
    task.model(ask('When shall the meeting be'));
    task.model(act('schedule', 'add "2026-01-12 09:00" Meeting'));
    task.tool('Scheduled 1: Meeting, Mon 2026-01-12 09:00');
    task.model(done());
    task.model(finished('The meeting is on Monday at nine.'));
  },
  'question-in-chinese': (session) => {
    const task = session.openTask('帮我安排会议');
    task.model(planned());
    task.model(ask('会议什么时候开？'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: '周一上午九点' });
    task.model(replanned('安排周一 09:00 的会议'));
    task.model(act('schedule', 'add "2026-01-12 09:00" 会议'));
    task.tool('已安排 1：会议');
    task.model(done());
    task.model(finished('会议已安排在周一上午九点。'));
  },
};
