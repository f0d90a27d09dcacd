import { globSync } from 'node:fs';
import { fencedBlocks } from '../docs/fenced-blocks.ts';

/** A command that a page tells its reader to type. */
export interface DocCommand {
  page: string;
  text: string;
}

/** The pages with commands. Getting started comes first: it installs the package that the others use. */
const FIRST = ['README.md', 'docs/getting-started.md'];
const PAGES = [...new Set([...FIRST, ...globSync('docs/**/*.md').sort()])];

/** A comment at the end of a line. No command has this mark in a text. */
const COMMENT = /\s+#\s.*$/;

/** All commands of the shell blocks of README and the pages in docs/, in the order in which a reader comes to them. */
export const docCommands = (): DocCommand[] =>
  PAGES.flatMap((page) =>
    fencedBlocks(page, 'sh', 'bash', 'console', 'shell')
      .flatMap((block) => block.split('\n'))
      .map((line) => line.replace(/^\$ /, '').replace(COMMENT, '').trim())
      .filter((text) => text !== '' && !text.startsWith('#'))
      .map((text) => ({ page, text })),
  );

/** Commands that are not run, and why. */
export const NOT_RUN: readonly { readonly of: RegExp; readonly why: string }[] = [
  { of: /^npm ci && npm test$/, why: 'these tests are what it runs' },
  {
    of: /^(?:[A-Z_]+=\S+ )*docker compose /,
    why: 'it needs Docker; the file itself is checked by test/packaging.test.ts',
  },
  { of: /^TELEGRAM_BOT_TOKEN=/, why: 'it needs a token of Telegram; test/chat-bot runs the bot against its API' },
];

/** Whether a command is for those who have the project's own files, and not for those who installed the package. */
export const isOfCheckout = ({ text }: DocCommand): boolean =>
  /(^|\s)npm (ci|start|test|run)\b/.test(text) || text.startsWith('node examples/');

/** The first output of a command that runs until it is stopped; null where it ends by itself. */
export const readyWhen = ({ text }: DocCommand): RegExp | null => {
  if (/(^|\s)(npm start|npx tripact( serve( --script \S+)?)?)$/.test(text)) return /http:\/\/127\.0\.0\.1:\d+/;
  return text.startsWith('node examples/coding-agent.ts') ? /./ : null;
};
