import { describe, expect, it } from 'vitest';
import type { TaskEventType } from '../../contracts/event.ts';
import { TaskState } from '../../contracts/task.ts';
import { statesOf, taskArrows } from '../../machines/arrows.ts';
import { taskMachine } from '../../machines/task-machine.ts';

const ANYWHERE: readonly TaskEventType[] = ['result.superseded'];
const OPEN: readonly TaskEventType[] = [...ANYWHERE, 'task.cancelled', 'machine.changed'];
const WORKING: readonly TaskEventType[] = [
  ...OPEN,
  'steer.received',
  'model.unavailable',
  'effect.abandoned',
  'quota.exhausted',
];

const ACCEPTED: Record<TaskState, readonly TaskEventType[]> = {
  planning: [...WORKING, 'plan.made', 'plan.rejected'],
  replanning: [...WORKING, 'replan.made', 'replan.rejected'],
  thinking: [...WORKING, 'thought.made', 'thought.rejected'],
  acting: [...WORKING, 'observation.recorded', 'observations.recorded', 'tool.asked'],
  verifying: [...WORKING, 'verification.finished'],
  awaiting_user: [...OPEN, 'answer.received', 'decision.received', 'question.expired', 'plan.edited'],
  paused: [...OPEN, 'task.resumed', 'plan.edited'],
  done: ANYWHERE,
  failed: ANYWHERE,
  cancelled: ANYWHERE,
};

describe('the task machine', () => {
  it.each(TaskState.options)(
    'in the state %s takes exactly its own events and those of the states around it',
    (state) => {
      const around = statesOf(taskMachine.root).filter((node) => statesOf(node).some(({ key }) => key === state));
      const events = taskArrows().flatMap(({ from, event }) =>
        event !== null && around.includes(from) ? [event] : [],
      );
      expect(new Set(events)).toEqual(new Set(ACCEPTED[state]));
    },
  );
});
