import { MACHINE } from '../../../machines/task-machine.ts';
import { act, askWith, done, finished, planned, replanned } from './answers.ts';
import type { GoldenSession } from './session.ts';

/** Golden scripts of tasks that are paused, and of what becomes of them. */
export const restScripts: Record<string, (session: GoldenSession) => void> = {
  'step-limit-and-continue': (session) => {
    const task = session.openTask('Add milk and bread', { limits: { max_steps: 4 } });
    task.model(planned('Add milk', 'Add bread'));
    task.model(act('todo', 'add milk'));
    task.tool('Added todo 1: milk');
    task.model(done());
    task.model(replanned('Add bread'));
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(replanned('Add bread'));
    task.model(act('todo', 'add bread'));
    task.tool('Added todo 2: bread');
    task.model(done());
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(finished('Milk and bread are on your list.'));
  },
  'token-budget-and-continue': (session) => {
    const task = session.openTask('Add milk', { limits: { max_task_tokens: 300 } });
    task.model(planned('Add milk'));
    task.model(act('todo', 'add milk'));
    task.tool('Added todo 1: milk');
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(finished('Milk is on your list.'));
  },
  'question-with-options': (session) => {
    const task = session.openTask('约小王吃饭');
    task.model(planned('约小王吃饭'));
    task.model(askWith('哪一天？', '星期五', '星期六'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: '2' });
    task.model(replanned('星期六约小王吃饭'));
    task.model(done('星期六。'));
    task.model(finished('约好了，星期六和小王吃饭。'));
  },
  'total-limit-fails': (session) => {
    const task = session.openTask('数到一百', { limits: { max_steps: 2, max_total_steps: 3 } });
    task.model(planned('从一数到一百'));
    task.model(act('todo', 'add 一'));
    task.tool('已添加待办 1：一');
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(replanned('从二数到一百'));
  },
  'model-unavailable-and-resume': (session) => {
    const task = session.openTask('Say hello to the team');
    task.outcome({ type: 'model.unavailable', reason: 'The model did not answer; check ANTHROPIC_API_KEY' });
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(planned('Write the greeting'));
    task.outcome({ type: 'model.unavailable', reason: 'The model is overloaded; try again later' });
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.outcome({ type: 'quota.exhausted', reason: 'The quota of 1000 tokens a day is used up' });
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(finished('Hello, team!'));
  },
  'crash-loop': (session) => {
    const task = session.openTask('Compile the project');
    task.model(planned('[CODE] Compile the project'));
    task.model(act('coding_agent', 'compile'));
    task.outcome({ type: 'effect.abandoned', begins: 3 });
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(finished('The project could not be compiled: the agent was interrupted each time.'));
  },
  'machine-changed': (session) => {
    const task = session.openTask('Sort my list');
    task.model(planned('Sort the list'));
    task.model(act('todo', 'list'));
    task.event({ type: 'machine.changed', from: 'tripact-task@0', to: MACHINE, reason: 'seq 2 gives another state' });
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(replanned('Sort the list'));
    task.model(done('It is sorted.'));
    task.model(finished('Your list is sorted.'));
  },
  'replan-limit': (session) => {
    const task = session.openTask('Try this and that', { limits: { max_replans: 1 } });
    task.model(planned('Try this', 'Try that'));
    task.model(done('This works.'));
    task.model(replanned('Try that'));
    task.model(done('That works too.'));
    task.event({ type: 'task.resumed', turn_id: session.turn() });
    task.model(finished('Both work.'));
  },
  'paused-task-resumed-after-another': (session) => {
    const first = session.openTask('Add milk', { limits: { max_steps: 2 } });
    first.model(planned('Add milk'));
    first.model(act('todo', 'add milk'));
    first.tool('Added todo 1: milk');
    const second = session.openTask('What is 2 + 2?');
    second.model(planned());
    second.model(done('4'));
    second.model(finished('2 + 2 is 4.'));
    first.event({ type: 'task.resumed', turn_id: session.turn() });
    first.model(finished('Milk is on your list.'));
  },
};
