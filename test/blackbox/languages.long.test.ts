import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Language } from '../../contracts/text.ts';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { MessagesScript } from '../support/anthropic/messages.ts';
import { ENGLISH_PROSE, HAN } from '../support/languages.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

/** Texts of people and models in each language; all else that is read there is ours. */
const words = {
  en: { goal: 'Tidy the house', step: 'Sweep', other: 'Mop', result: 'Swept', question: 'Which room?', said: 'Done' },
  zh: { goal: '打扫房子', step: '扫地', other: '拖地', result: '扫好了', question: '哪个房间？', said: '好了' },
} as const;

const slow = defineTool({
  name: 'slow',
  description: 'Never comes back.',
  input: z.string(),
  run: (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
});
const strict = defineTool({
  name: 'strict',
  description: 'Wants a number.',
  input: z.strictObject({ count: z.number().int().min(1) }),
  run: async () => 'ok',
});

/** Leaves quotations out, which are somebody's own words; ids, options and names of tools are no prose. */
const unquoted = (text: string): string =>
  text.replace(/“[^”]*”|「[^」]*」|"[^"\n]*"|明天下午三点|每周一上午九点/g, '');

const readsIn = (language: Language, text: string): void => {
  expect(text).not.toBe('');
  if (language === 'zh') {
    expect(unquoted(text)).not.toMatch(ENGLISH_PROSE);
    expect(text).toMatch(HAN);
  } else expect(unquoted(text)).not.toMatch(HAN);
};

type Turn = TurnView & { task: TaskView };

/** A service whose replies must all be in one language; `lines` are the progress lines of a turn, `say` gives it. */
const speaking = async (language: Language, script: MessagesScript, env: Record<string, string> = {}) => {
  const service = await startService(script, env, { file: { tools: [slow, strict] } });
  const say = async (input: string, body: Record<string, unknown> = {}): Promise<Turn> => {
    const turn = await service.say('s1', input, body);
    readsIn(language, turn.output ?? '');
    return turn;
  };
  return { service, say, follow: (input: string) => follow(service, language, input) };
};

/** Sends a turn and checks every line of its progress too. */
const follow = async (service: Service, language: Language, input: string): Promise<Turn> => {
  const response = await service.post('/v1/sessions/s1/turns', { input }, { accept: 'text/event-stream' });
  const messages = (await response.text()).split('\n\n').flatMap((block) => {
    const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? [];
    return event === '' ? [] : [{ event, data: JSON.parse(data) }];
  });
  let turn: Turn | null = null;
  for (const message of messages) {
    if (message.event === 'progress') readsIn(language, String(message.data.text));
    if (message.event === 'turn') turn = message.data as Turn;
  }
  readsIn(language, turn?.output ?? '');
  return turn!;
};

describe.each(['en', 'zh'] as const)('a session in %s reads in its language', (language) => {
  const { goal, step, other, result, question, said } = words[language];

  it('what commands answer after its task, whatever language the command is in', async () => {
    const { say } = await speaking(language, [plan(step), done(result), answer(said)]);
    const { task_id } = await say(goal);
    for (const command of [
      ...['/continue', '/resume', `/resume ${task_id}`, '/resume task_none', '/cancel', '/status', '/help', '/plan'],
      ...['/plan drop 1', '/plan drop', '/plan add', '/plan mark 1 done', '/plan move 1', '取消任务', 'cancel task'],
    ])
      await say(command);
  });

  it('what is asked and said while a task waits', async () => {
    const { say, follow } = await speaking(language, [
      plan(step, other),
      ask(question),
      replanned(other, step),
      done(result),
      answer(said),
    ]);
    expect(await follow(goal)).toMatchObject({ status: 'asking' });
    for (const command of ['/continue', '/resume', '/status', '/plan', '/plan drop 9', '/plan mark 2 blocked'])
      await say(command);
    const edited = await say('/plan drop 2');
    expect(edited.output).toContain(`2. ${other} (${{ en: 'dropped', zh: '已去掉' }[language]})`);
    expect(await follow('1')).toMatchObject({ status: 'answered' });
  });

  it('a question after failures: tools that time out, refuse their input or are unknown, answers that can not be read', async () => {
    const { follow } = await speaking(
      language,
      [
        plan(step),
        act('slow', '1'),
        act('strict', '{"count": 0, "x": 1}'),
        act('strict', 'three'),
        act('slow', '2'),
        answer(said),
      ],
      { TRIPACT_TOOL_TIMEOUT_MS: '100' },
    );
    const asked = await follow(goal);
    expect(asked).toMatchObject({ status: 'asking' });
    // Its failures, and not that the machine then allowed no further action.
    expect(asked.question).toMatch(/^.*\n1\. slow.*100[\s\S]*\n2\. strict[\s\S]*\n3\. strict/);
    expect(asked.question).not.toMatch(/\n4\. |ask_user/);
  });

  it('a plan that could not be used, its notes, and the plan cut to its limit', async () => {
    const long = plan('[ROCKET] 1', { id: 'b', step: '2', tools: ['rocket'] }, '3', '4');
    const { follow } = await speaking(
      language,
      ['?', { status: 'planned', plan: 3 }, long, done(result), answer(said)],
      {
        TRIPACT_MAX_PLAN_ITEMS: '3',
      },
    );
    expect(await follow(goal)).toMatchObject({ status: 'answered' });
  });

  it('a pause because replans could not be used', async () => {
    const { follow, say } = await speaking(language, [
      plan(step),
      done(result),
      ...['{"status":"replanned","plan":[]}', '{"status":"done"}', '{"status":"replanned","plan":[{"id":"x"}]}'],
      answer(said),
    ]);
    const paused = await follow(goal);
    expect(paused).toMatchObject({ status: 'paused' });
    await say('/status');
    expect(await follow({ en: 'continue', zh: '继续' }[language])).toMatchObject({ status: 'answered' });
  });

  it('a pause because the plan is deadlocked', async () => {
    const stuck = { id: 'b', step: other, depends_on: ['a'] };
    const { follow } = await speaking(language, [
      plan({ id: 'a', step }, stuck),
      JSON.stringify({ status: 'done', outcome: 'blocked', response: result }),
      replanned(stuck),
      replanned({ ...stuck, id: 'c' }),
    ]);
    const paused = await follow(goal);
    expect(paused).toMatchObject({ status: 'paused' });
    expect(paused.task.pause_reason).toBe('deadlock');
  });
});

it('a command in a session without a task is answered in the language of the input', async () => {
  const service = await startService([]);
  expect((await service.say('s1', '/todo get 买牛奶')).output).toMatch(HAN);
  expect((await service.say('s1', '/todo get milk')).output).not.toMatch(HAN);
  expect((await service.say('s1', '继续')).output).toMatch(HAN);
});
