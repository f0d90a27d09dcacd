// npm run bench:rerun: recorded dialogues of BFCL run again, as they were and with one changed answer of a tool.

import { rerunTraces } from '../../src/app/rerun-traces.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/lib/log.ts';
import type { RecordedTask } from '../../src/rerun/recording.ts';
import { readRecording } from '../../src/rerun/recording.ts';
import type { RerunSource } from '../../src/rerun/rerun.ts';
import { type Model, recordTrace, scriptedModel } from '../../src/testing/testing.ts';
import { createRandom } from '../crashtest/random.ts';
import { spread, startTools } from '../gold/benchmark.ts';
import type { Dialogue } from '../gold/play.ts';

const DIALOGUES = Number(process.env['RERUN_DIALOGUES'] ?? 100);
const SEED = 1;

/** The scripted model: asks for the gold calls of a turn one by one. It reads how many results the task has, and nothing else. */
const scriptOf = ({ turns }: Dialogue): Model =>
  scriptedModel({
    plan: { status: 'planned', plan: ['Do what the user asks for'] },
    thought: ({ task }) => {
      const turn = Number(/^\[(\d+)\]/.exec(task.goal)?.[1]);
      const call = turns[turn]?.calls[task.observations.length];
      if (call === undefined) return { status: 'done', response: 'Done.' };
      const next_action = { tool: `bfcl_${call.tool}`, input: JSON.stringify(call.args) };
      return { status: 'continue', current_step: 'The next call.', next_action };
    },
    replan: { status: 'done', plan: [], response: 'Done.' },
  });

/** Plays a dialogue with its real tools, and gives the tasks of its trace. */
const record = async (dialogue: Dialogue, address: string): Promise<RecordedTask[]> => {
  const run = `rerun-${dialogue.id}`;
  const start = JSON.stringify({ run, dialogue: dialogue.id, kill: null });
  await fetch(`${address}/start`, { method: 'POST', body: start });
  const { trace, turns } = await recordTrace({
    model: scriptOf(dialogue),
    config: {
      // A dialogue's tools may refuse several calls in a row.
      settings: { TRIPACT_MAX_STEPS: 50, TRIPACT_FAILURE_LIMIT: 50 },
      mcpServers: { bfcl: { url: `${address}/mcp/${run}/0` } },
    },
    inputs: dialogue.turns.map(({ user }, number) => `[${number}] ${user}`),
  });
  const open = turns.find(({ status }) => status !== 'answered');
  if (open !== undefined) throw new Error(`${dialogue.id}: a turn is ${open.status}`);
  return readRecording(trace);
};

/** The task with another answer of one of its tools, and the entry of it; null: it has none. */
const withOtherAnswer = (
  task: RecordedTask,
  pick: (count: number) => number,
): { answers: RecordedTask; seq: number } | null => {
  const given = task.entries.filter(({ entry }) => entry.event.type === 'observation.recorded');
  const changed = given[pick(given.length)];
  if (changed === undefined) return null;
  const entries = task.entries.map((each) => {
    const { event } = each.entry;
    if (each !== changed || event.type !== 'observation.recorded') return each;
    return { ...each, entry: { ...each.entry, event: { ...event, result: `${event.result} (changed)` } } };
  });
  return { answers: { ...task, entries }, seq: changed.entry.seq };
};

const again = (sources: readonly RerunSource[], model: Model) =>
  rerunTraces({
    sources,
    config: loadConfig({ TRIPACT_MODEL: 'offline' }),
    file: {},
    env: {},
    log: createLog({ level: 'silent' }),
    version: 'bench',
    model: null,
    instructions: null,
    liveReads: false,
    maxCost: null,
    concurrency: 4,
    signal: new AbortController().signal,
    again: model,
  });

const server = await startTools();
const random = createRandom(SEED);
const count = { dialogues: 0, tasks: 0, entries: 0, calls: 0, same: 0, identical: 0, changed: 0, atEntry: 0 };
const spent = { record: 0, again: 0, changed: 0 };
const timed = async <Result>(name: keyof typeof spent, work: () => Promise<Result>): Promise<Result> => {
  const began = performance.now();
  const result = await work();
  spent[name] += performance.now() - began;
  return result;
};

try {
  for (const dialogue of spread(server.dialogues, DIALOGUES)) {
    const tasks = await timed('record', () => record(dialogue, server.address));
    const script = scriptOf(dialogue);
    const sources = tasks.map((recorded) => ({ source: dialogue.id, recorded }));
    const { same, tasks: ran, sums } = await timed('again', () => again(sources, script));
    const isIdentical = ran.every(({ lanes }) => lanes.every((lane) => lane.first_difference === null));
    count.dialogues += 1;
    count.tasks += tasks.length;
    count.entries += tasks.reduce((sum, { entries }) => sum + entries.length, 0);
    count.calls += sums[0]?.tool_calls ?? 0;
    count.same += Number(same);
    count.identical += Number(isIdentical);
    if (!same || !isIdentical) console.error(dialogue.id, JSON.stringify(ran.map(({ lanes }) => lanes.at(-1))));
    // One answer of the dialogue, in one of its tasks that call anything.
    const calling = sources.filter(({ recorded }) => withOtherAnswer(recorded, () => 0) !== null);
    const { source, recorded } = calling[random.below(calling.length)]!;
    const other = withOtherAnswer(recorded, (answers) => random.below(answers))!;
    const report = await timed('changed', () => again([{ source, recorded, answers: other.answers }], script));
    const found = report.tasks[0]?.lanes.at(-1)?.first_difference;
    const isThere = found?.seq === other.seq && found.path === 'result';
    count.changed += 1;
    count.atEntry += Number(isThere);
    if (!isThere) console.error(dialogue.id, other.seq, JSON.stringify(found));
  }
} finally {
  server.close();
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
console.log(`| dialogues | tasks | entries | tool calls | the same outcome | by the same entries | one answer changed | found at its entry |
|---:|---:|---:|---:|---:|---:|---:|---:|
| ${Object.values(count).join(' | ')} |

Recorded in ${seconds(spent.record)}, run again in ${seconds(spent.again)}, and with a changed answer in ${seconds(spent.changed)}.`);
