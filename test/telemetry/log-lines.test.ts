import { expect, it } from 'vitest';
import { createLogLines } from '../../src/telemetry/log-lines.ts';
import { openTask } from '../support/machine/task-driver.ts';

it('a task that pauses because a tool was interrupted again and again is logged with the tool', () => {
  const lines: unknown[] = [];
  const write = (level: string) => (line: object, msg: string) => void lines.push({ level, ...line, msg });
  const log = { isLevelEnabled: () => false, info: write('info'), warn: write('warn'), debug: write('debug') };
  const { committed, effectStarted } = createLogLines(log as never, () => undefined);
  const task = openTask().plans('Dig').acts('list', 'todo');
  const { task_id, open_effect } = task.context;
  const ids = { session_id: 's1', task_id };
  const params = { tool: 'todo', input: 'list', item_id: '1', executor: 'default' };
  const effect = { effect: open_effect ?? 0, type: 'tool.call', params } as const;
  const span = effectStarted(effect, { ...ids, effect_id: `${task_id}.3`, turn_id: 'turn_1', model: '' });
  const event = { type: 'effect.abandoned', effect: effect.effect, begins: 3 } as const;
  span.ended('abandoned', undefined);
  task.send(event);
  committed({ session_id: 's1', duration_ms: 1, steps: [{ event, before: null, task: task.task }], turns: [] });
  expect(lines).toEqual([
    { level: 'warn', ...ids, effect: 'tool.call', tool: 'todo', reason: 'crash_loop', msg: 'a task is paused' },
  ]);
});
