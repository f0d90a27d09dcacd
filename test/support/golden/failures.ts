import { act, ask, blocked, done, finished, gaveUp, planned, replanned } from './answers.ts';
import type { GoldenSession } from './session.ts';

/** Golden scripts of tasks in which models and tools fail. */
export const failureScripts: Record<string, (session: GoldenSession) => void> = {
  'tool-failure': (session) => {
    const task = session.openTask('Delete todo 7');
    task.model(planned('Delete todo 7'));
    task.model(act('todo', 'delete 7'));
    task.tool('There is no todo 7', false);
    task.model(act('todo', 'list'));
    task.tool('No todos');
    task.model(done('There is no todo 7.'));
    task.model(finished('There was no todo 7, so nothing was deleted.'));
  },
  'narrowed-and-machine-asks': (session) => {
    const task = session.openTask('Look up the train times', { limits: { failure_limit: 2 } });
    task.model(planned('Search for the train times'));
    task.model(act('internet_search', 'train times'));
    task.tool('No search is configured', false);
    task.model('Let me think about that.');
    task.model(act('internet_search', 'trains'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'Leave it' });
    task.model(finished('I could not look up the train times: no search is configured.'));
  },
  'same-action-in-circles': (session) => {
    const task = session.openTask('Wait until the list is empty', {
      limits: { failure_limit: 1, max_rounds_per_item: 5 },
    });
    task.model(planned('Watch the list'));
    for (let round = 0; round < 3; round += 1) {
      task.model(act('todo', 'list'));
      task.tool('1 milk');
    }
    task.model(done('The list still holds milk.'));
    task.model(finished('The list is not empty: milk is still on it.'));
  },
  'blocked-item-and-another-way': (session) => {
    const task = session.openTask('Download the report and sum it up');
    task.model(planned('Download the report', 'Sum it up'));
    task.model(act('internet_search', 'the report'));
    task.tool('The server does not answer', false);
    task.model(blocked('The server does not answer.'));
    task.model(replanned('Ask a colleague for the report', 'Sum it up'));
    task.model(act('todo', 'add ask for the report'));
    task.tool('Added todo 1: ask for the report');
    task.model(done('A todo asks for the report.'));
    task.model(replanned('Sum it up'));
    task.model(blocked('There is no report yet.'));
    task.model(finished('The report could not be downloaded; a todo asks a colleague for it.'));
  },
  'given-up': (session) => {
    const task = session.openTask('下载报告');
    task.model(planned('下载报告', '总结报告'));
    task.model(act('internet_search', '报告'));
    task.tool('服务器没有响应', false);
    task.model(blocked('服务器没有响应。'));
    task.model(gaveUp('没能下载报告：服务器没有响应。请稍后再试。'));
  },
  'round-limit': (session) => {
    const task = session.openTask('Find the oldest oak', { limits: { max_rounds_per_item: 2 } });
    task.model(planned('Search for the oldest oak'));
    task.model(act('internet_search', 'oldest oak'));
    task.tool('Many oaks are old');
    task.model(act('internet_search', 'oldest oak age'));
    task.tool('Some are older');
    task.model(act('internet_search', 'oldest oak in the world'));
    task.model(done('No clear answer.'));
    task.model(finished('The sources do not agree on the oldest oak.'));
  },
  'question-limit': (session) => {
    const task = session.openTask('Plan my party', { limits: { max_questions: 1 } });
    task.model(planned('Plan the party'));
    task.model(ask('How many guests?'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'Ten' });
    task.model(replanned('Plan the party for ten'));
    task.model(ask('Which day?'));
    task.model(done('Ten guests, the day is open.'));
    task.model(finished('A party for ten is planned; choose the day yourself.'));
  },
  'plan-becomes-goal': (session) => {
    const task = session.openTask('Tidy my list');
    task.model('', 'empty');
    task.model('{"status":"planned","plan":["Look at the li', 'truncated');
    task.model('I would rather not.', 'refused');
    task.model(act('todo', 'list'));
    task.tool('No todos');
    task.model(done('The list is tidy.'));
    task.model(finished('Your list is empty already.'));
  },
  'replan-contract-failure': (session) => {
    const task = session.openTask('Sum up the week');
    task.model(planned('Sum up the week'));
    task.model(done('A quiet week.'));
    task.model('{"status":"done"}');
    task.model(replanned('Sum up the week'));
    task.model('All done!');
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(finished('It was a quiet week.'));
  },
  'deadlock-twice': (session) => {
    const task = session.openTask('Bake and serve a cake');
    task.model(planned({ id: 'bake', step: 'Bake the cake' }, { id: 'serve', step: 'Serve it', depends_on: ['bake'] }));
    task.model('The oven is broken.\nREPLAN');
    task.model(replanned({ id: 'serve', step: 'Serve it', depends_on: ['bake'] }));
    task.model(replanned({ id: 'plate', step: 'Put it on a plate', depends_on: ['bake'] }));
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(replanned('Buy a cake'));
    task.model(done('A cake is bought.'));
    task.model(finished('The oven is broken, so a cake was bought.'));
  },
  'verification-fails-then-passes': (session) => {
    const task = session.openTask('Fix the failing test', { verifies: true });
    task.model(planned('[CODE] Fix the test'));
    task.model(act('coding_agent', 'fix the test'));
    task.tool('Changed one file');
    task.model(done('Fixed.'));
    task.model(finished('The test is fixed.'));
    task.outcome({ type: 'verification.finished', ok: false, output: '1 test failed' });
    task.model(replanned('[CODE] Fix what is left'));
    task.model(act('coding_agent', 'fix what is left'));
    task.tool('Changed another file');
    task.model(done());
    task.model(finished('Both files are fixed.'));
    task.outcome({ type: 'verification.finished', ok: true, output: 'All tests pass' });
  },
  'verification-limit': (session) => {
    const task = session.openTask('把测试修好', { verifies: true, limits: { verify_limit: 1 } });
    task.model(planned('修好测试'));
    task.model(act('coding_agent', '修测试'));
    task.tool('改了一个文件');
    task.model(done());
    task.model(finished('测试已修好。'));
    task.outcome({ type: 'verification.finished', ok: false, output: '仍有 1 个测试失败' });
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(finished('测试没有修好：仍有 1 个失败。'));
    task.outcome({ type: 'verification.finished', ok: true, output: '通过' });
  },
};
