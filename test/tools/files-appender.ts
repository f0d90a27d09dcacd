import { createFilesTool } from '../../src/tools/files/files-tool.ts';
import { createFileChanges } from '../../src/workspace/change-file.ts';
import { taskCall } from '../support/tools/task-call.ts';

/** Appends a line for each effect of a task, again and again under the effects that a killed process began, and prints each one done. */
const [workspace = '', from = '0'] = process.argv.slice(2);
const tool = createFilesTool(createFileChanges({ bytes: 1 << 20, files: 100 }));
for (let n = Number(from); ; n += 1) {
  const { ok, result } = await tool.run(`append log.txt ${n}`, {
    ...taskCall(),
    effect_id: `task_1.${n}`,
    workspace,
  });
  if (!ok) throw new Error(result);
  process.stdout.write(`${n}\n`);
}
