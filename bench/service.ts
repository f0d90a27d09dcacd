import pino from 'pino';
import { TaskLimits } from '../contracts/limits.ts';
import { createCommands } from '../src/commands/commands.ts';
import type { Engine } from '../src/engine/port.ts';
import { openStore } from '../src/engine/sqlite/database.ts';
import { createSqliteEngine } from '../src/engine/sqlite/sqlite-engine.ts';
import type { Model } from '../src/models/port.ts';
import { mission } from '../src/projections/mission-file.ts';
import { createToolRegistry } from '../src/tools/registry.ts';
import { createWorkspaces } from '../src/workspace/folder.ts';
import { createMirror } from '../src/workspace/mirror.ts';
import { benchModel, benchTool } from './task-of-31.ts';

/** The engine as the service builds it, files in the session's folder and all, with the bench's model and tool. */
export const openEngine = (dataDir: string, model: Model = benchModel(), hasFiles = true): Engine => {
  const log = pino({ level: 'silent' });
  const tools = createToolRegistry([benchTool()]);
  const workspaceOf = createWorkspaces(dataDir);
  const mirror = createMirror({
    workspaceOf,
    log,
    missionOf: (task) => mission(task, engine.taskEvents(task.context.task_id)),
  });
  const engine = createSqliteEngine({
    store: openStore({ dataDir }),
    log,
    hostTimezone: 'UTC',
    callBack: fetch,
    commands: createCommands([]),
    world: { model, tools, verifiers: [], toolTimeoutMs: 60_000, workspaceOf, now: Date.now, log },
    opening: {
      limits: TaskLimits.parse({ max_steps: 1_000, max_total_steps: 1_000, max_rounds_per_item: 1_000 }),
      catalogue: tools.catalogue,
      confirmPlan: false,
      verifies: false,
      modelProblem: null,
      now: Date.now,
    },
    onTaskMoved: hasFiles ? mirror.note : () => {},
  });
  const close = async (): Promise<void> => {
    await engine.drain();
    mirror.stop();
    await engine.close();
  };
  return { ...engine, close };
};

/** Runs one turn to its end. */
export const runTurn = async (engine: Engine, sessionId: string, input: string): Promise<void> => {
  const turn = await engine.submit({ owner: 'local', session_id: sessionId, input });
  await engine.wait('local', turn.id, new AbortController().signal);
};
