import type { Language } from '../text.ts';
import * as commands from './en/commands.ts';
import * as models from './en/models.ts';
import * as progress from './en/progress.ts';
import * as replies from './en/replies.ts';
import * as rerun from './en/rerun.ts';
import * as tools from './en/tools.ts';
import * as when from './en/when.ts';
import * as zhCommands from './zh/commands.ts';
import * as zhModels from './zh/models.ts';
import * as zhProgress from './zh/progress.ts';
import * as zhReplies from './zh/replies.ts';
import * as zhRerun from './zh/rerun.ts';
import * as zhTools from './zh/tools.ts';
import * as zhWhen from './zh/when.ts';

const english = { ...commands, ...models, ...progress, ...replies, ...rerun, ...tools, ...when };

/** All texts that the service shows users, in one language. Every language has the same texts as English. */
export type Messages = typeof english;

const catalogues: Record<Language, Messages> = {
  en: english,
  zh: { ...zhCommands, ...zhModels, ...zhProgress, ...zhReplies, ...zhRerun, ...zhTools, ...zhWhen },
};

/** The texts in a language, by area. Pure, so that the machine can use it. */
export const messages = (language: Language): Messages => catalogues[language];
