import type { english } from '../en/catalogue.ts';
import { commandLine } from './command-line.ts';
import { controls } from './controls.ts';
import { missionFile } from './mission-file.ts';
import { namedPlans } from './named-plans.ts';
import { progress } from './progress.ts';
import { questions } from './questions.ts';
import { replies } from './replies.ts';
import { schedule } from './schedule.ts';
import { todo } from './todo.ts';
import { when } from './when.ts';

/** Every message in Chinese. */
export const chinese = {
  commandLine,
  controls,
  missionFile,
  namedPlans,
  progress,
  questions,
  replies,
  schedule,
  todo,
  when,
} satisfies typeof english;
