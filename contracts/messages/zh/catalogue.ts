import type { english } from '../en/catalogue.ts';
import { commandLine } from './command-line.ts';
import { namedPlans } from './named-plans.ts';
import { schedule } from './schedule.ts';
import { todo } from './todo.ts';
import { when } from './when.ts';

/** Every message in Chinese. */
export const chinese = { commandLine, namedPlans, schedule, todo, when } satisfies typeof english;
