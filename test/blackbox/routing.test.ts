import { describe, expect, it } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { apiError, delayed } from '../support/anthropic/answers.ts';
import { answersByGoal, contractsFor, requestsFor } from '../support/anthropic/answers-by-goal.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { shutGate } from '../support/service/gate.ts';
import { sendTurn } from '../support/service/sent-turn.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const unreachable = apiError(401, { type: 'authentication_error' });

/** A session whose first task waits for its model behind a gate, after `before`. */
const startWithDelayedAnswer = async (
  before: MessagesAnswer[],
  delayedAnswer: MessagesAnswer,
  after: MessagesAnswer[],
) => {
  const gate = shutGate();
  const service = await startService([...before, delayed(gate.opened, delayedAnswer), ...after]);
  const first = service.say('s1', 'the first task');
  await service.model.asked(before.length + 1);
  return { service, gate, first };
};

describe('a whole input', () => {
  const goOn = [
    'continue',
    'RESUME',
    'Go on',
    'carry on.',
    'keep going!!',
    ' 继续 ',
    '接着',
    '继续执行。',
    '恢复！',
    'go on…',
    'continue please',
    '请继续',
  ];
  const stop = ['/cancel', 'cancel task', 'Cancel Task', '取消当前任务', ' 取消任务\n'];
  const neither = ["Don't continue", '继续教育', 'resume writing', '明天继续', 'cancel', '请取消任务'];

  it('that is a continue phrase continues with the paused task; any other opens one of its own', async () => {
    const inputs = [...goOn, ...neither];
    const service = await startService(
      answersByGoal({
        ...Object.fromEntries(inputs.map((_, i) => [`goal ${i}`, [unreachable, plan(), done(), answer('went on')]])),
        ...Object.fromEntries(neither.map((input) => [input, [plan(), done(), answer('a task of its own')]])),
      }),
    );
    const outcomes = await Promise.all(
      inputs.map(async (input, i) => {
        const paused = await service.say(`s${i}`, `goal ${i}`);
        const { output, task_id } = await service.say(`s${i}`, input);
        return [input, output, task_id === paused.task_id];
      }),
    );
    expect(outcomes).toEqual([
      ...goOn.map((input) => [input, 'went on', true]),
      ...neither.map((input) => [input, 'a task of its own', false]),
    ]);
  });

  it('that is a cancel phrase ends the waiting task; any other is its answer', async () => {
    const inputs = [...stop, ...neither];
    const service = await startService(
      answersByGoal(
        Object.fromEntries(inputs.map((_, i) => [`goal ${i}`, [plan('a'), ask('Which?'), answer('thanks')]])),
      ),
    );
    const outcomes = await Promise.all(
      inputs.map(async (input, i) => {
        await service.say(`s${i}`, `goal ${i}`);
        return [input, (await service.say(`s${i}`, input)).status];
      }),
    );
    expect(outcomes).toEqual([
      ...stop.map((input) => [input, 'cancelled']),
      ...neither.map((input) => [input, 'answered']),
    ]);
  });
});

describe('while a task runs', () => {
  it('an input waits its turn, and one that came before a question is never its answer', async () => {
    const { service, gate, first } = await startWithDelayedAnswer([plan('a')], ask('Which?'), [
      answer('answered'),
      plan(),
      done(),
      answer('the early one'),
    ]);
    const early = await sendTurn(service.url, 's1', 'early');
    expect(early.turn).toMatchObject({ status: 'queued', task_id: null, output: null });
    expect((await service.get<SessionView>('/v1/sessions/s1')).queue).toMatchObject([{ turn_id: early.turn.id }]);
    gate.open();
    expect(await first).toMatchObject({ status: 'asking' });
    expect((await service.get<SessionView>('/v1/sessions/s1')).queue).toHaveLength(1);
    expect(await service.say('s1', 'this one')).toMatchObject({ output: 'answered', task_id: (await first).task_id });
    expect(await early.finished()).toMatchObject({ output: 'the early one', status: 'answered' });
  });

  it('reject answers 409 and stores nothing', async () => {
    const { service, gate, first } = await startWithDelayedAnswer([], plan(), [done(), answer('ok')]);
    const before = await service.get<SessionView>('/v1/sessions/s1');
    const response = await service.post('/v1/sessions/s1/turns', { input: 'no', on_busy: 'reject' });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ type: '/problems/task-running', status: 409 });
    expect(await service.get<SessionView>('/v1/sessions/s1')).toEqual(before);
    gate.open();
    await first;
    expect(await service.get<{ tasks: unknown[] }>('/v1/sessions/s1/tasks')).toMatchObject({ tasks: [{}] });
  });

  it.each([
    ['a plan', [], plan('a'), [replanned('b'), done(), answer('fine')], ['plan', 'replan', 'thought', 'replan']],
    ['a thought', [plan('a')], act('todo', 'list'), [answer('fine')], ['plan', 'thought', 'replan']],
    ['an answer', [plan('a'), done()], answer('early'), [answer('fine')], ['plan', 'thought', 'replan', 'replan']],
  ])('a steer during %s is handled before the task ends', async (_, before, during, after, contracts) => {
    const { service, gate, first } = await startWithDelayedAnswer(before, during, after);
    const steer = await sendTurn(service.url, 's1', 'rather the red one', { on_busy: 'steer' });
    expect(steer.turn).toMatchObject({ status: 'running', task_id: expect.stringMatching(/^task_/) });
    gate.open();
    expect(await first).toMatchObject({ output: 'fine' });
    expect(await steer.finished()).toMatchObject({ output: 'fine', task_id: (await first).task_id });
    expect(service.contracts()).toEqual(contracts);
    expect(service.model.requests.at(-1)?.body.messages[0]?.content).toContain('rather the red one');
  });

  it('a cancel aborts the open call at once, and a late result changes nothing', async () => {
    const { service, gate, first } = await startWithDelayedAnswer([plan('a')], act('todo', 'add never'), []);
    expect(await service.say('s1', '取消任务')).toMatchObject({ status: 'cancelled' });
    expect(await first).toMatchObject({ status: 'cancelled', task: { state: 'cancelled' } });
    gate.open();
    expect((await service.say('s1', '/todo list')).output).not.toContain('never');
    const task = await service.get(`/v1/tasks/${(await first).task_id}`);
    expect(task).toMatchObject({ state: 'cancelled', step_count: 0 });
  });

  it('a command runs at once, reaches no model and leaves the task as it was', async () => {
    const { service, gate, first } = await startWithDelayedAnswer([plan('a')], done(), [answer('ok')]);
    const before = await service.get('/v1/sessions/s1/tasks');
    const commands = ['/todo add bread', '/todo list', '/view all', '/schedule list', '/status', '/help', '/plan'];
    for (const command of [...commands, '/plan create p --steps a b', '/nonsense', '/', '/resume', '/continue'])
      expect(await service.say('s1', command)).toMatchObject({ kind: 'command', status: 'ran', task_id: null });
    expect(await service.get('/v1/sessions/s1/tasks')).toEqual(before);
    expect(service.contracts()).toEqual(['plan', 'thought']);
    gate.open();
    expect(await first).toMatchObject({ output: 'ok', task: { step_count: 2 } });
  });
});

it('of ten turns at once with reject one runs, and none of the others is stored', async () => {
  const gate = shutGate();
  const service = await startService([delayed(gate.opened, plan()), done(), answer('ok')]);
  const sent = Array.from({ length: 10 }, (_, i) =>
    service.post('/v1/sessions/s1/turns', { input: `task ${i}`, on_busy: 'reject' }),
  );
  await new Promise<void>((resolve) => {
    let answered = 0;
    for (const one of sent) void one.then(() => ++answered === sent.length - 1 && resolve());
  });
  gate.open();
  const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array<number>(9).fill(409)]);
  expect((await service.get<{ tasks: unknown[] }>('/v1/sessions/s1/tasks')).tasks).toHaveLength(1);
});

it('of two answers at once one is taken and the other becomes a task of its own', async () => {
  const taken = [plan('a'), ask('Which?'), answer('taken')];
  const own = [plan(), done(), answer('of its own')];
  const service = await startService(answersByGoal({ choose: taken, red: own, blue: own }));
  await service.say('s1', 'choose');
  const turns = await Promise.all([service.say('s1', 'red'), service.say('s1', 'blue')]);
  expect(turns.map(({ output }) => output).sort()).toEqual(['of its own', 'taken']);
  expect(contractsFor(service, 'choose')).toEqual(['plan', 'thought', 'replan']);
  const answered = turns.find(({ output }) => output === 'taken') === turns[0] ? 'red' : 'blue';
  expect(requestsFor(service, 'choose').at(-1)?.body.messages[0]?.content).toContain(answered);
});

it('cancels the most recently paused task when nothing runs or waits', async () => {
  const service = await startService(
    answersByGoal({ first: [unreachable], second: [plan(), done(), answer('second')] }),
  );
  const paused = await service.say('s1', 'first');
  expect(await service.say('s1', 'second')).toMatchObject({ status: 'answered' });
  expect(await service.say('s1', 'cancel task')).toMatchObject({ status: 'cancelled', task_id: paused.task_id });
});
