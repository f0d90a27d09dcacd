import type { ApprovalDecision, SessionEvent } from '../../../contracts/event.ts';
import { act, done, finished, planned, replanned } from './answers.ts';
import type { GoldenSession } from './session.ts';

const reminder = (id: number, text: string): SessionEvent => ({
  type: 'reminder.due',
  reminder_id: id,
  subject: 'todo',
  subject_id: id,
  text,
  due_at: '2026-01-05T09:00:00.000Z',
  late: false,
});

/** Golden scripts of user actions on a running task: confirm, steer, edit and cancel. */
export const peopleScripts: Record<string, (session: GoldenSession) => void> = {
  'plan-confirmed': (session) => {
    const task = session.openTask('Clear my list', { confirm_plan: true });
    task.model(planned('List the todos', 'Delete each of them'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'Yes!' });
    task.model(act('todo', 'list'));
    task.tool('No todos');
    task.model(done('There are none.'));
    task.model(finished('Your list was empty already.'));
  },
  'follow-up-without-a-plan': (session) => {
    const task = session.openTask('Move it to 4pm', {
      planning: false,
      conversation: [{ said: 'When do I meet Anna?', answered: 'You meet Anna on Friday at 3pm.' }],
    });
    task.model(act('schedule', 'update 1 "2026-01-09 16:00" Meet Anna'));
    task.tool('Updated 1: Meet Anna, Fri 2026-01-09 16:00');
    task.model(done('Moved.'));
    task.model(finished('You meet Anna on Friday at 4pm now.'));
  },
  'goal-confirmed-as-plan': (session) => {
    const task = session.openTask('Clear my list', { planning: false, confirm_plan: true });
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'yes' });
    task.model(done('There are no todos.'));
    task.model(finished('Your list was empty already.'));
  },
  'plan-refused': (session) => {
    const task = session.openTask('清空我的待办', { confirm_plan: true });
    task.model(planned('列出待办', '全部删除'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: '不要' });
  },
  'plan-changed-by-answer': (session) => {
    const task = session.openTask('Clear my list', { confirm_plan: true, limits: { plan_retries: 0 } });
    task.model('No idea.');
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'Keep the milk' });
    task.model(replanned('Delete all but milk'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'yes' });
    task.model(done());
    task.model(finished('Only milk is left.'));
  },
  steer: (session) => {
    const task = session.openTask('Write a poem about spring');
    task.model(planned('Write the poem'));
    task.event({ type: 'steer.received', turn_id: session.turn(), text: 'Make it about autumn' });
    task.model(act('internet_search', 'autumn words'));
    task.tool('leaves, mist, harvest');
    task.model(replanned('Write a poem about autumn'));
    task.model(done('Mist upon the harvest leaves.'));
    task.event({ type: 'steer.received', turn_id: session.turn(), text: 'And make it rhyme' });
    task.model(finished('Mist upon the harvest leaves.'));
    task.model(finished('Mist upon the harvest leaves, autumn is the best of thieves.'));
  },
  'cancelled-while-running': (session) => {
    const task = session.openTask('Search for everything');
    task.model(planned('Search'));
    task.model(act('internet_search', 'everything'));
    task.event({ type: 'task.cancelled', turn_id: session.turn() });
    task.event({ type: 'result.superseded', effect: 3, outcome: 'Everything was found' });
    const next = session.openTask('What is left?');
    next.model(planned());
    next.model(done('Nothing.'));
    next.model(finished('Nothing is left.'));
  },
  'action-approved': (session) => {
    const task = session.openTask('Delete the milk and the bread', { approval: ['todo'], limits: { max_steps: 30 } });
    const decides = (decision: ApprovalDecision): void =>
      task.event({ type: 'decision.received', turn_id: session.turn(), decision });
    task.model(planned('Delete the milk and the bread'));
    task.model(act('todo', 'delete 1'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'Yes, go ahead.' });
    task.tool('Deleted todo 1: milk');
    task.model(act('todo', 'delete 7'));
    decides({ type: 'edit', input: 'delete 2' });
    task.tool('Deleted todo 2: bread');
    task.model(act('todo', 'list'));
    decides({ type: 'approve_always' });
    task.tool('No todos');
    task.model(act('todo', 'list'));
    task.tool('No todos');
    task.model(done('Both are deleted.'));
    task.model(finished('Milk and bread are off your list.'));
  },
  'action-rejected': (session) => {
    const task = session.openTask('清空我的待办', { approval: ['todo'] });
    task.model(planned('删除全部待办'));
    task.model(act('todo', 'delete 1'));
    task.event({ type: 'answer.received', turn_id: session.turn(), text: '先别删牛奶' });
    task.model(replanned('删除面包'));
    task.model(act('todo', 'delete 2'));
    task.event({
      type: 'decision.received',
      turn_id: session.turn(),
      decision: { type: 'reject', reason: '我自己来' },
    });
    task.model(replanned('列出待办'));
    task.model(act('todo', 'list'));
    task.event({ type: 'plan.edited', turn_id: session.turn(), edits: [{ kind: 'add', step: '告诉小王' }] });
    task.event({ type: 'answer.received', turn_id: session.turn(), text: '是' });
    task.model(finished('按你的要求，没有删除任何待办。'));
  },
  'plan-edited': (session) => {
    session.sessionEvent(reminder(1, 'milk'));
    const task = session.openTask('Prepare the trip', { confirm_plan: true });
    task.model(planned('Book a train', 'Book a hotel'));
    task.event({ type: 'plan.edited', turn_id: session.turn(), edits: [{ kind: 'add', step: 'Pack', index: 0 }] });
    task.event({
      type: 'plan.edited',
      turn_id: null,
      edits: [
        { kind: 'move', from: 0, to: 2 },
        { kind: 'drop', index: 1 },
        { kind: 'mark', index: 0, status: 'completed' },
      ],
    });
    task.event({ type: 'answer.received', turn_id: session.turn(), text: 'go ahead' });
    task.model(replanned('Pack'));
    task.model(act('todo', 'add pack'));
    task.tool('Added todo 1: pack');
    task.model(done());
    task.model(finished('The train is booked and packing is on your list.'));
    session.sessionEvent(reminder(2, 'bread'));
  },
};
