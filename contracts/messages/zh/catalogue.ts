import type { english } from '../en/catalogue.ts';
import * as commands from './commands.ts';
import * as models from './models.ts';
import { offline } from './offline.ts';
import * as progress from './progress.ts';
import * as replies from './replies.ts';
import { schedule } from './schedule.ts';
import { todo } from './todo.ts';
import * as tools from './tools.ts';
import { when } from './when.ts';

/** Every message in Chinese. */
export const chinese = {
  ...commands,
  ...models,
  offline,
  ...progress,
  ...replies,
  schedule,
  todo,
  ...tools,
  when,
} satisfies typeof english;
