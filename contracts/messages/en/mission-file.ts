import type { TaskState } from '../../task.ts';

/** The headings and states of `MISSION.md` (SPEC 10). */
export const missionFile = {
  title: (state: string, steps: string) => `Mission: ${state}, ${steps}`,
  goal: 'Goal',
  plan: 'Plan',
  noPlan: 'No plan yet.',
  decisions: 'Log of decisions',
  earlier: (count: number) => `${count} earlier ones are in the trace`,
  questions: 'Open questions',
  none: 'None.',
  steps: (used: number, limit: number) => `${used} of ${limit} steps`,
  state: {
    planning: 'planning',
    replanning: 'replanning',
    thinking: 'deciding',
    acting: 'acting',
    verifying: 'verifying',
    awaiting_user: 'waiting for your answer',
    paused: 'paused',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
  } satisfies Record<TaskState, string>,
};
