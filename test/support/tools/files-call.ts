import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFilesTool } from '../../../src/tools/files/files-tool.ts';
import type { TaskToolCall } from '../../../src/tools/port.ts';
import { createFileChanges, type FileQuota } from '../../../src/workspace/change-file.ts';
import { taskCall } from './task-call.ts';

/** A session's folder with the files tool; removed after the test. */
export const openFiles = (quota: FileQuota = { bytes: 64 * 1024 * 1024, files: 1_000 }) => {
  const workspace = mkdtempSync(join(tmpdir(), 'tripact-files-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const tool = createFilesTool(createFileChanges(quota));
  let calls = 0;
  return {
    workspace,
    at: (name: string): string => join(workspace, name),
    /** Calls the tool, each time with its own effect unless one is given. */
    run: (input: string, more: Partial<TaskToolCall> = {}) => {
      calls += 1;
      return tool.run(input, taskCall({ effect_id: `task_1.${calls}`, workspace, ...more }));
    },
  };
};
