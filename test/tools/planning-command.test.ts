import { describe, expect, it } from 'vitest';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { open, step } from '../../machines/step.ts';
import type { CommandCall } from '../../src/commands/commands.ts';
import { createPlanCommand } from '../../src/commands/task-commands.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';
import { opened, written } from '../support/machine/task-driver.ts';
import { call, openPlanning } from './planning-session.ts';

/** A task whose plan was just made. */
const task = (): TaskSnapshot => {
  const planning = open(opened({ goal: 'Plan the party' }));
  const { effect } = planning.effects[0]!;
  const plan = written('Find a place', 'Invite everybody');
  const { state, context } = step(planning.task, {
    type: 'plan.made',
    effect,
    reader: 'strict',
    status: 'planned',
    plan,
  }).task;
  return { state, context };
};

/** `/plan` on a store of its own. */
const openCommand = () => {
  const { answer } = openPlanning();
  const command = createPlanCommand(planningTool);
  return { run: (rest: string, given: CommandCall): string => answer(command.run(rest, given)).result };
};

describe('/plan', () => {
  it('alone and as show gives the plan of the task, and named plans leave that plan alone', () => {
    const command = openCommand();
    const given = { ...call, task: task(), queued: 0, decider: 'anybody' as const };
    const before = structuredClone(given.task);
    const shown = command.run('', given);
    expect(shown).toContain('Plan: Plan the party (0 of 2 done)');
    expect(shown).toContain('Invite everybody');
    command.run('create party --steps Cake Music', given);
    expect(command.run('mark party 2 completed', given)).toContain('2. [✓] Music');
    expect(command.run('show', given)).toBe(shown);
    expect(command.run('show party', given)).toContain('Progress: 1/2 steps completed (50.0%)');
    expect(given.task).toEqual(before);
  });

  it.each([
    ['create 42 --steps a', /^plan_id: must have 1 to 64 letters/],
    ['create q --steps', /--steps needs a value/],
    ['get q', /no plan "q"/],
    ['{"command": "create", "plan_id": "q", "steps": []}', /^steps: must have at least one step/],
    ['{"command": "mark_step", "step_index": -1, "step_status": "completed"}', /^step_index: /],
    ['mark_step p 1 done', /^step_status: .*not_started.*blocked/],
    ['mark_step p 9 completed', /no step with this number/],
    ['mark_step', /step_index is missing/],
    ['mark_step p 1', /must have step_status or step_notes/],
    ['mark_step p 1 completed and more', /Unexpected argument "and more"/],
    ['create p --steps a', /already exists/],
    ['{"command":"fly"}', /^Unknown command fly\./],
    [`{"command":${'['.repeat(15_000)}${']'.repeat(15_000)}}`, /^Unknown command /],
    ['{"command":', /This is not valid JSON/],
    ['{"command":"get","plan_id":725653563933458433}', /more digits than JSON keeps: write it as a string/],
  ])('%s is refused with the usage, not with an error of a schema', (rest, problem) => {
    const command = openCommand();
    const given = { ...call, task: null, queued: 0, decider: 'anybody' as const };
    command.run('create p --steps a b', given);
    const answered = command.run(rest, given);
    expect(answered).toMatch(problem);
    expect(answered).toMatch(/\nUsage: (\/plan|\{"command")/);
    expect(answered).not.toMatch(/Invalid |received|ZodError/);
    expect(command.run('get p', given)).toContain('Progress: 0/2');
  });
});
