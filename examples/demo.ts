import { isDeepStrictEqual } from 'node:util';
import { SessionView } from '../contracts/http.ts';
import { TraceEntry } from '../contracts/trace.ts';
import type { TaskView } from '../contracts/turn-view.ts';
import type { Client } from '../src/cli/client.ts';
import { createDemoFolder } from './demo-service.ts';
import { aside, expect, scene, talkTo } from './demo-teller.ts';

/** A budget that three todos do not fit into. */
const SMALL_BUDGET = 4;

/** How often "continue" may be needed until the three todos are done. */
const CONTINUES_MAX = 5;

/** The session of the story, and of the one that an older version left. */
const SESSION = 'demo';

/** A trace's lines as they come: parsed and written again they would have other chains. */
const linesOf = async (client: Client, kind: 'tasks' | 'sessions', id: string): Promise<string[]> => {
  const text = (await (await client.trace(kind, id))?.text()) ?? '';
  return text.trimEnd().split('\n');
};

const entryOf = (line: string): TraceEntry => TraceEntry.parse(JSON.parse(line));

const activeTask = async (client: Client): Promise<TaskView | null> =>
  (await client.get(`sessions/${SESSION}`, SessionView))?.active_task ?? null;

/** Lets the service fold a trace through the machine, and ends the demo where an entry differs. */
const expectReplay = async (url: string, lines: readonly string[]): Promise<void> => {
  const body = lines.join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await fetch(`${url}/v1/replay`, { method: 'POST', body, headers });
  const replayed = (await answer.json()) as { ok: boolean; entries?: number };
  expect(
    `all ${lines.length} entries of the trace agree`,
    replayed.ok === true && replayed.entries === lines.length,
    replayed,
  );
};

const tellStory = async (): Promise<void> => {
  const folder = createDemoFolder();
  const first = await folder.start();
  const talk = talkTo(first.url, SESSION);

  scene('1. One request, two parts: a plan of two items, a tool for each, a replan after each');
  const both = await talk.say('Add milk to my todos and schedule a dentist visit tomorrow at 3pm');
  expect('it is answered after two tool calls', both.status === 'answered' && both.task?.successful_steps === 2, both);

  scene('2. Something is missing, so it asks, and waits');
  const asked = await talk.say('Schedule a meeting with Anna');
  expect('the task waits for the user', asked.status === 'asking' && asked.question !== null, asked);

  scene('3. A slash command in between: at once, without a model, and the task is left as it is');
  const before = await activeTask(talk.client);
  const list = await talk.say('/todo list');
  expect('the command ran', list.status === 'ran' && (list.output ?? '').includes('milk'), list);
  const after = await activeTask(talk.client);
  expect('the waiting task has not changed', before !== null && isDeepStrictEqual(before, after), { before, after });

  scene('4. The service is killed (kill -9) while the question is open, and started again');
  await first.end('SIGKILL');
  const second = await folder.start();
  const again = talkTo(second.url, SESSION);
  aside(`it is back, at ${second.url}`);
  const survivor = await activeTask(again.client);
  expect('the same task waits with the same question', isDeepStrictEqual(survivor, before), survivor);

  scene('5. The answer: a replan comes first, then the meeting is made');
  const answered = await again.say('tomorrow at 10am');
  expect(
    'the task that asked is answered',
    answered.status === 'answered' && answered.task_id === asked.task_id,
    answered,
  );
  const entries = (await linesOf(again.client, 'tasks', asked.task_id ?? '')).map(entryOf);
  const answer = entries.find(({ event }) => event.type === 'answer.received');
  expect('the answer led to a replan', answer?.effects[0]?.type === 'model.replan', answer);

  scene(
    '6. An upgrade in mid-question: the folder of an older version (machine tripact-task@3), killed while it asked',
  );
  const older = createDemoFolder('by-older-version');
  const upgraded = await older.start();
  const there = talkTo(upgraded.url, SESSION);
  const left = await activeTask(there.client);
  aside(`this version, at ${upgraded.url}, has brought the folder along`);
  expect(`"${left?.goal}" still waits for an answer`, left?.state === 'awaiting_user', left);
  const carriedOn = await there.say('tomorrow at 10am');
  expect(
    'the task of the older version is answered by this one, and its first part was not done again',
    carriedOn.status === 'answered' && carriedOn.task_id === left?.id && carriedOn.task?.successful_steps === 2,
    carriedOn,
  );
  await expectReplay(upgraded.url, await linesOf(there.client, 'sessions', SESSION));
  await upgraded.end('SIGTERM');

  scene('7. The same in Chinese');
  const chinese = await again.say('帮我添加待办买面包，然后安排后天下午两点理发');
  expect(
    'it is answered after two tool calls',
    chinese.status === 'answered' && chinese.task?.successful_steps === 2,
    chinese,
  );

  scene(`8. A budget of ${SMALL_BUDGET} steps runs out; "continue" adds as many again`);
  const code = await second.end('SIGTERM');
  expect('asked to stop, the service ends cleanly', code === 0, code);
  const third = await folder.start({ TRIPACT_MAX_STEPS: String(SMALL_BUDGET) });
  const frugal = talkTo(third.url, SESSION);
  let turn = await frugal.say('Add a todo to water the plants, add a todo to call mum and add a todo to buy stamps');
  expect(
    'it pauses at the limit',
    turn.task?.pause_reason === 'step_limit' && turn.task.step_count >= SMALL_BUDGET,
    turn,
  );
  let continues = 0;
  for (; turn.status === 'paused' && continues < CONTINUES_MAX; continues += 1) turn = await frugal.say('continue');
  expect(
    `it is answered after ${continues} × "continue"`,
    turn.status === 'answered' && turn.task?.successful_steps === 3,
    turn,
  );

  scene('9. Everything is in the trace, and the trace replays through the machine, entry by entry');
  await expectReplay(third.url, await linesOf(frugal.client, 'sessions', SESSION));
  await third.end('SIGTERM');
};

try {
  await tellStory();
  console.log(
    '\nThat was the offline model. With ANTHROPIC_API_KEY or OPENAI_API_KEY set, "npm start" serves a real one.',
  );
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
