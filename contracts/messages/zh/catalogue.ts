import type { english } from '../en/catalogue.ts';
import * as commands from './commands.ts';
import * as models from './models.ts';
import * as progress from './progress.ts';
import * as replies from './replies.ts';
import * as tools from './tools.ts';
import { when } from './when.ts';

/** Every message in Chinese. */
export const chinese = {
  ...commands,
  ...models,
  ...progress,
  ...replies,
  ...tools,
  when,
} satisfies typeof english;
