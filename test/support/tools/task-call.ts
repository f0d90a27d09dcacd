import { tmpdir } from 'node:os';
import type { TaskToolCall } from '../../../src/tools/port.ts';

/** A call like a task's, for tools that run without one. */
export const taskCall = (over: Partial<TaskToolCall> = {}): TaskToolCall => ({
  owner: 'local',
  session_id: 's1',
  task_id: 'task_1',
  effect_id: 'task_1.1',
  item_id: '1',
  executor: 'default',
  expected: null,
  clarifications: [],
  files: [],
  workspace: tmpdir(),
  now: Date.UTC(2026, 0, 1),
  timezone: 'UTC',
  language: 'en',
  metadata: {},
  signal: new AbortController().signal,
  ...over,
});
