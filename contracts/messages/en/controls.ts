import type { TaskState } from '../../task.ts';
import { missionFile } from './mission-file.ts';

/** What the control commands and the continue phrases report when they change no task, or the plan only (SPEC 2, 8). */
export const controls = {
  nothingToCancel: 'There is no task to cancel.',
  nothingToResume: 'There is no paused task to continue.',
  busyWithAnother:
    'Another task of this session runs or waits for an answer. Finish or /cancel it first, then /resume.',
  stillRunning: 'The task is running already.',
  planIsInUse: 'The task is running; its plan can be edited while it waits or is paused.',
  noPlanToEdit: 'No task of this session waits or is paused, so there is no plan to edit.',
  noPlanYet: 'The task has no plan yet; /continue makes one.',
  planIsFull: 'The plan is full; drop an item first.',
  stepTooLong: (max: number) => `A step has at most ${max} characters; this one is longer.`,
  noSuchItem: 'The plan has no item of that number. /plan shows it.',
  noSuchTask: (id: string) => `This session has no task "${id}".`,
  notPaused: (id: string, state: TaskState | 'running') =>
    `Task ${id} is not paused; it is ${state === 'running' ? 'running' : missionFile.state[state]}.`,
  waitsForAnswer: (question: string) => `The task waits for your answer: ${question}`,
  planEdited: (plan: string) => `The plan is now:\n${plan}`,
};
