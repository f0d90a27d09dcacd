import { commandLine } from './command-line.ts';
import { namedPlans } from './named-plans.ts';
import { schedule } from './schedule.ts';
import { todo } from './todo.ts';
import { when } from './when.ts';

/** Every message in English; its type is what every other language must have. */
export const english = { commandLine, namedPlans, schedule, todo, when };
