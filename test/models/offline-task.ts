import { effectId } from '../../contracts/ids.ts';
import { languageOf } from '../../contracts/text.ts';
import { allowedTools } from '../../machines/plan-items.ts';
import { createOfflineModel } from '../../src/models/offline/offline-model.ts';
import type { ModelRequest } from '../../src/models/port.ts';
import { parseModelReply } from '../../src/models/reply/parse-model-reply.ts';
import { createStatementRunner } from '../../src/store/sqlite/run-statements.ts';
import type { TransactionalTool } from '../../src/tools/port.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';
import { type DrivenTask, openTask, type TaskOptions } from '../support/machine/task-driver.ts';
import { openOwnerDatabase, someone } from '../tools/owner-database.ts';

const CONTRACTS = { 'model.plan': 'plan', 'model.thought': 'thought', 'model.replan': 'replan' } as const;

/** Events before a task must have come to rest: a budget's worth and some, so that a loop is a failure. */
const EVENTS_MAX = 300;

/** A task that the offline model works on, with the real machine, the real readers and the real tools. */
export interface OfflineTask {
  task: DrivenTask;
  /** Events since it opened, a word or two each: `plan 2`, `todo add "buy milk"`, `ask …`, `replan`. */
  log: string[];
  /** Runs until the task settles: answered, asking, paused or failed. */
  run(): Promise<OfflineTask>;
}

const describeEvent = (event: DrivenTask['events'][number]): string => {
  if (event.type === 'plan.made') return `plan ${event.plan.length}`;
  if (event.type === 'replan.made') return event.status === 'done' ? 'done' : `replan ${event.plan.length}`;
  if (event.type === 'observation.recorded') return `${event.ok ? 'ok' : 'failed'} ${event.tool} ${event.input}`;
  if (event.type !== 'thought.made') return event.type;
  if (event.status === 'ask_user') return `ask ${event.question}`;
  return event.status === 'continue' ? `call ${event.next_action?.tool}` : 'item done';
};

/** Opens a task on that goal, for an owner with an empty list and schedule, on Saturday 2026-11-21 at 10:30 in Berlin. */
export const openOfflineTask = (
  goal: string,
  options: TaskOptions = {},
  make: (tool: TransactionalTool) => TransactionalTool = (tool) => tool,
  database = openOwnerDatabase(),
): OfflineTask => {
  const answer = createStatementRunner(database);
  const language = languageOf(goal);
  const registry = createToolRegistry([make(todoTool), make(scheduleTool)]);
  const task = openTask({ goal, language, catalogue: registry.catalogue(), ...options });
  const model = createOfflineModel();
  // A steer asks for nothing, so what was open before it still is.
  let open = task.effects[0];

  const perform = async (effect: DrivenTask['effects'][number]): Promise<void> => {
    const { context } = task;
    const { effect: number } = effect;
    if (effect.type === 'tool.call') {
      const { tool: name, input } = effect.params;
      const tool = registry.get(name) as TransactionalTool;
      const { ok, result } = answer(tool.run(input, { ...someone, language }));
      task.send({ type: 'observation.recorded', effect: number, tool: name, input, ok, result });
    } else if (effect.type !== 'verify.run' && effect.type !== 'tool.batch') {
      const contract = CONTRACTS[effect.type];
      const isThought = effect.type === 'model.thought';
      const request: ModelRequest = {
        contract,
        effect_id: effectId(context.task_id, number),
        task: context,
        item_id: isThought ? effect.params.item_id : null,
        may: isThought ? effect.params.may : [],
        tools: registry.usage(isThought ? allowedTools(context) : ['todo', 'schedule']),
        executors: registry.executors,
        now: someone.now,
        instructions: null,
        timezone: someone.timezone,
      };
      const reply = await model.answer(request, new AbortController().signal);
      task.send(parseModelReply(contract, context, number, reply));
    }
  };

  const offline: OfflineTask = {
    task,
    get log() {
      return task.events.map(describeEvent);
    },
    async run() {
      for (let i = 0; task.context.open_effect !== null; i += 1) {
        if (i > EVENTS_MAX) throw new Error(`no rest after ${EVENTS_MAX} events: ${offline.log.slice(-6).join(' · ')}`);
        open = task.effects[0] ?? open;
        await perform(open!);
      }
      return offline;
    },
  };
  return offline;
};
