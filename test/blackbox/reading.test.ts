import { expect, it } from 'vitest';
import { emptyContent, maxTokens, message, refusal, toolUse } from '../support/anthropic/answers.ts';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const json = JSON.stringify;
const isDone = json(done('so it is'));

/** Runs one task for each text that a model says, all at once, and gives what came of the text in the trace. */
const readEach = async (
  cases: readonly (readonly [name: string, said: MessagesAnswer, ...unknown[]])[],
  scriptOf: (said: MessagesAnswer) => MessagesAnswer[],
  contract: 'plan' | 'thought' | 'replan',
) => {
  const service = await startService(
    answersByGoal(Object.fromEntries(cases.map(([name, said]) => [name, scriptOf(said)]))),
  );
  return Promise.all(
    cases.map(async ([name], i) => {
      const { status, task } = await service.say(`s${i}`, name);
      const event = (await service.trace(`s${i}`)).find((entry) => entry.event.type.startsWith(`${contract}.`))?.event;
      return { name, status, step_count: task.step_count, event };
    }),
  );
};

it('reads a thought however it is wrapped, and the trace says how', async () => {
  const cases: [string, string, string][] = [
    ['the object alone', isDone, 'strict'],
    ['a fence with a name', `Sure:\n\`\`\`json\n${isDone}\n\`\`\`\nThere.`, 'fenced'],
    ['a fence', `\`\`\`\n${isDone}\n\`\`\``, 'fenced'],
    ['prose around it', `I think ${isDone} will do.`, 'embedded'],
    ['thinking before it', `<think>{"status":"continue"} no.</think>\n${isDone}`, 'embedded'],
    ['loose quotes and commas', "{status: 'done', response: 'so it is',}", 'repaired'],
    ['[Done]', 'That is all.\n[Done]', 'signal'],
    ['[完成]', '好了\n[完成]', 'signal'],
    ['[Step Done]', 'ok\n[Step Done]', 'signal'],
    ['[步骤完成]', '好了\n[步骤完成]', 'signal'],
    ['STEP_DONE', 'STEP_DONE', 'signal'],
    ['a control object', '{"control":"step_done"}', 'signal'],
  ];
  const read = await readEach(cases, (said) => [plan('a'), said, answer('ok')], 'thought');
  expect(read.map(({ name, event, step_count }) => ({ name, event, step_count }))).toEqual(
    cases.map(([name, , reader]) => ({
      name,
      step_count: 2,
      event: expect.objectContaining({ type: 'thought.made', status: 'done', reader }),
    })),
  );
});

const tool = act('todo', 'list');

/** What is no thought, each counted as one step and asked again out loud. */
const refusedThoughts: [string, MessagesAnswer][] = [
  ['two objects that differ', `${isDone}\nor rather\n${json(tool)}`],
  ['a __proto__ key', '{"status":"done","__proto__":{"x":1}}'],
  ['a constructor key', '{"status":"done","constructor":{"x":1}}'],
  ['an object that never closes', '{"status":"done","response":"half a sen'],
  ['the token limit, though the object is whole', maxTokens(isDone)],
  ['a refusal', refusal()],
  ['nothing', emptyContent()],
  ['blanks', '  \n'],
  ['a tool call', toolUse(isDone)],
  ['prose that says now and next', 'Now I will do it, next comes the rest.'],
  ['a mark in mid-sentence', 'I would say [Done] and go on'],
  ['a mark that more text follows', 'STEP_DONE\nbut let me check'],
  ['an array', '[]'],
  ['another status', '{"status":"finish"}'],
  ['a plan', plan('a')],
  ['a replan', replanned('a')],
  ['continue with a question', { ...tool, question: 'why?' }],
  ['continue with a response', { ...tool, response: 'so' }],
  ['continue without a current step', { ...tool, current_step: ' ' }],
  ['continue without an input', act('todo', ' ')],
  ['continue with a tool that is none', act('rm', '-rf')],
  ['a question with an action', { ...ask('which?'), next_action: { tool: 'todo', input: 'list' } }],
  ['a question with a response', { ...ask('which?'), response: 'so' }],
  ['a question that is empty', ask('')],
  ['done with an action', { ...done(), next_action: { tool: 'todo', input: 'list' } }],
  ['done with a question', { ...done(), question: 'which?' }],
  ['5,000 open brackets', '['.repeat(5_000)],
];

it('refuses what is no thought, counts it, and continues', async () => {
  const read = await readEach(refusedThoughts, (said) => [plan('a'), said, done(), answer('ok')], 'thought');
  expect(read).toEqual(
    refusedThoughts.map(([name]) => ({
      name,
      status: 'answered',
      step_count: 3,
      event: expect.objectContaining({ type: 'thought.rejected', reason: expect.stringMatching(/\S/) }),
    })),
  );
});

it('drops keys that a contract does not know, and takes an empty string for null', async () => {
  const said = { ...tool, question: '', response: '', confidence: 0.9, next_action: { ...tool.next_action, why: 'x' } };
  const [read] = await readEach([['extra', said]], () => [plan('a'), said, done(), answer('ok')], 'thought');
  expect(read?.event).toMatchObject({ type: 'thought.made', question: null, response: null });
  expect(read?.event).not.toHaveProperty('confidence');
  expect(read?.event).toHaveProperty('next_action', { tool: 'todo', input: 'list' });
});

it('reads a plan from an object or from a list, and never takes its prose for an answer', async () => {
  const cases: [string, string, string][] = [
    ['object', json(plan('first', 'second')), 'strict'],
    ['fenced', `\`\`\`json\n${json(plan('first', 'second'))}\n\`\`\``, 'fenced'],
    ['numbered', 'This is how:\n1. first\n2. second', 'signal'],
    ['dashed', '- first\n- second', 'signal'],
    ['marked', '[Step] first\n[Step] second', 'signal'],
  ];
  const read = await readEach(cases, (said) => [said, done(), answer('ok')], 'plan');
  expect(read.map(({ name, event, step_count }) => ({ name, event, step_count }))).toEqual(
    cases.map(([name, , reader]) => ({
      name,
      step_count: 2,
      event: expect.objectContaining({ type: 'plan.made', reader, plan: ['first', 'second'] }),
    })),
  );
});

it('refuses a plan with an unknown or doubled id, a cycle or no status, and does not count it', async () => {
  const item = (id: string, ...depends_on: string[]) => ({ id, step: `step ${id}`, depends_on });
  const cases: [string, MessagesAnswer][] = [
    ['unknown id', plan(item('a', 'z'))],
    ['id twice', plan(item('a'), item('a'))],
    ['cycle', plan(item('a', 'b'), item('b', 'a'))],
    ['itself', plan(item('a', 'a'))],
    ['no status', { plan: ['a'] }],
    ['empty step', plan('')],
    ['truncated', maxTokens(json(plan('a')))],
    ['refused', refusal()],
  ];
  const read = await readEach(cases, (said) => [said, plan('a'), done(), answer('ok')], 'plan');
  expect(read).toEqual(
    cases.map(([name]) => ({
      name,
      status: 'answered',
      step_count: 2,
      event: expect.objectContaining({ type: 'plan.rejected' }),
    })),
  );
});

it('refuses a replan without work or answer, and counts it', async () => {
  const item = (id: string, ...depends_on: string[]) => ({ id, step: `step ${id}`, depends_on });
  const cases: [string, MessagesAnswer][] = [
    ['replanned to nothing', replanned()],
    ['done without a response', { status: 'done', plan: [] }],
    ['done with a blank response', answer(' ')],
    ['a cycle', replanned(item('x', 'y'), item('y', 'x'))],
    ['items that were all completed already', replanned('a')],
    ['a mark', '[Done]'],
    ['a list that asks', 'Which one?\n1. b\n2. c'],
    ['truncated', maxTokens(json(answer('ok')))],
    ['a thought', message(json(tool))],
  ];
  const read = await readEach(cases, (said) => [plan('a'), done(), said, answer('ok')], 'replan');
  expect(read).toEqual(
    cases.map(([name]) => ({
      name,
      status: 'answered',
      step_count: 3,
      event: expect.objectContaining({ type: 'replan.rejected' }),
    })),
  );
});
