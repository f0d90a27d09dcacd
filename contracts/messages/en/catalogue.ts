import { commandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { controls } from './controls.ts';
import { missionFile } from './mission-file.ts';
import { namedPlans } from './named-plans.ts';
import { progress } from './progress.ts';
import { questions } from './questions.ts';
import { replies } from './replies.ts';
import { schedule } from './schedule.ts';
import { todo } from './todo.ts';
import { usage } from './usage.ts';
import { validation } from './validation.ts';
import { when } from './when.ts';

/** Every message in English; its type is what every other language must have. */
export const english = {
  commandLine,
  commands,
  controls,
  missionFile,
  namedPlans,
  progress,
  questions,
  replies,
  schedule,
  todo,
  usage,
  validation,
  when,
};
