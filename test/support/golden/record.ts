import { existsSync, writeFileSync } from 'node:fs';
import { TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import { open, step, type Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import { goldenFile, goldenLines, goldenNames, goldenProse } from './files.ts';

/**
 * Writes missing prose of golden traces, and folds the events of traces by an earlier machine anew, once copies of them
 * are in `released`: `node test/support/golden/record.ts`. A new golden trace is a session's exported trace.
 */
for (const name of goldenNames) {
  const tasks = new Map<string, Task>();
  const lines = goldenLines(name).map((line) => {
    const { task_id, event } = line as { task_id: string | null; event: unknown };
    if (task_id === null) return { ...line, machine: MACHINE };
    const before = tasks.get(task_id);
    const { task, effects } =
      before === undefined ? open(TaskOpened.parse(event)) : step(before, TaskEvent.parse(event));
    tasks.set(task_id, task);
    const { state, context } = task;
    return { ...line, machine: MACHINE, state, step_count: context.step_count, effects };
  });
  if (goldenLines(name)[0]?.['machine'] !== MACHINE)
    writeFileSync(goldenFile(name, 'jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  if (!existsSync(goldenFile(name, 'trace'))) writeFileSync(goldenFile(name, 'trace'), goldenProse(name));
}
