import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leaveOtherPlan, PLAN_FILES_KEPT } from '../../src/workspace/plan-takeover.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

const idOf = (task: number): string => `task_${String(task).padStart(9, '0')}`;

const planOf = (task: number): string => JSON.stringify({ id: idOf(task) });

it('a session with many tasks keeps the plans of the newest hundred, and the files of users', async () => {
  const folder = freshDataDir();
  const tasks = PLAN_FILES_KEPT + 30;
  writeFileSync(join(folder, 'plan.mine.json'), 'mine');
  mkdirSync(join(folder, 'plan.task_0.json'));
  for (let task = 0; task < tasks; task++) {
    await leaveOtherPlan(folder, idOf(task), true);
    writeFileSync(join(folder, 'plan.json'), planOf(task));
  }
  const kept = Array.from({ length: PLAN_FILES_KEPT }, (_, i) => `plan.${idOf(tasks - 1 - PLAN_FILES_KEPT + i)}.json`);
  expect(readdirSync(folder).sort()).toEqual(['plan.json', 'plan.mine.json', 'plan.task_0.json', ...kept].sort());
});
