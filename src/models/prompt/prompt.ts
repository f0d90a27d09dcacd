import type { TaskContext } from '../../../contracts/task.ts';
import type { ModelRequest, Prompt } from '../port.ts';
import { wireTools } from './contract-calls.ts';
import { filesText, logTexts } from './log-text.ts';
import { block, inRow, type PromptText, sections, stable } from './prompt-text.ts';
import { systemText, type Voice } from './rules.ts';
import { createShownFiles } from './shown-files.ts';
import { tailText } from './tail.ts';

/** Earlier turns of the conversation, one piece each, so that a cache with the first ones need not read them again. */
const conversationTexts = ({ conversation }: TaskContext): PromptText[] =>
  conversation.map(({ said, answered, files = [] }, i) => ({
    text: sections(
      i === 0 ? '# Earlier in this conversation, oldest first' : null,
      `${block('said', {}, said)}\n${block('answered', {}, answered)}${files.length > 0 ? `\n${filesText('They had sent', files)}` : ''}`,
    ),
    files,
  }));

const memoryText = ({ memory }: TaskContext): string | null =>
  memory.length === 0
    ? null
    : `What was remembered about the user, newest first; it may be out of date:\n${block('given', {}, memory.map(({ id, text }) => `#${id} ${text}`).join('\n'))}`;

const goalText = (task: TaskContext): string =>
  sections(`# The task\n${block('goal', {}, task.goal)}`, memoryText(task));

/**
 * The prompt of a request; depends on nothing else (SPEC 7). Within a task each prompt begins with the one before,
 * except for its last piece. `leftOut`: how many of the oldest results are not shown.
 */
export const promptFor = (request: ModelRequest, voice: Voice, leftOut = 0): Prompt => {
  const { task, tools } = request;
  const log = logTexts(task, leftOut);
  const texts = [
    ...conversationTexts(task),
    { text: goalText(task) },
    ...log.map((entry, i) => ({ ...entry, text: sections(i === 0 ? '# The log' : null, entry.text) })),
  ];
  const lasting = inRow(texts, createShownFiles(texts));
  return {
    tools: voice === 'native' ? wireTools(tools) : null,
    system: [{ text: systemText(voice, request), isStable: true }],
    user: [...stable(lasting), { text: `\n\n${tailText(voice, request)}` }],
  };
};
