import * as commands from './commands.ts';
import * as models from './models.ts';
import * as progress from './progress.ts';
import * as replies from './replies.ts';
import * as tools from './tools.ts';
import { when } from './when.ts';

/** Every message in English; its type is what every other language must have. */
export const english = {
  ...commands,
  ...models,
  ...progress,
  ...replies,
  ...tools,
  when,
};
