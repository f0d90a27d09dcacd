import type { CallRerunRequest } from '../../contracts/call-rerun.ts';
import type { SentPrompt } from '../../contracts/model-call.ts';
import { ServiceError } from '../lib/errors.ts';
import type { GivenPrompt, ModelRequest, Prompt, PromptPart } from '../models/port.ts';
import { promptFor } from '../models/prompt/prompt.ts';
import { textOf } from '../models/prompt/prompt-text.ts';

type Voice = GivenPrompt['voice'];

/** The prompt of a recorded call. */
export interface RebuiltPrompt {
  readonly voice: Voice;
  readonly prompt: Prompt;
  /** Its texts are those that were sent. */
  readonly isExact: boolean;
}

/** The voice in which a prompt was sent. */
export const voiceOf = ({ tools }: SentPrompt): Voice => (tools === undefined ? 'text' : 'native');

/**
 * The message that was sent, in the pieces of the one that is made now: all but the last have to be the same. The last has
 * the time, and what was due. Null: the message was another one.
 */
const piecesOf = (made: readonly PromptPart[], { messages }: SentPrompt): PromptPart[] | null => {
  const lasting = made.slice(0, -1);
  const [begin, sent] = [textOf(lasting), messages.map(({ content }) => content).join('\n')];
  return sent.startsWith(begin) ? [...lasting, { text: sent.slice(begin.length) }] : null;
};

/**
 * The prompt of a recorded call: by its texts as they were kept, with the files of the history; else, or in another voice,
 * made from the history with the instructions and tools of today.
 */
export const rebuildPrompt = (request: ModelRequest, sent: SentPrompt | null, voice: Voice): RebuiltPrompt => {
  const made = promptFor(request, voice);
  if (sent === null || voiceOf(sent) !== voice) return { voice, prompt: made, isExact: false };
  const user = piecesOf(made.user, sent);
  const system = [{ text: sent.system, isStable: true as const }];
  return { voice, prompt: { tools: sent.tools ?? null, system, user: user ?? made.user }, isExact: user !== null };
};

type Edits = Pick<CallRerunRequest, 'instructions' | 'system' | 'messages'>;

/** Whether anything is edited. */
export const isEdited = ({ instructions, system, messages = [] }: Edits): boolean =>
  instructions !== undefined || system !== undefined || messages.length > 0;

const editedSystem = (before: Prompt, { instructions, system }: Edits, request: ModelRequest, voice: Voice) => {
  if (system !== undefined) return [{ text: system, isStable: true as const }].filter(({ text }) => text !== '');
  return instructions === undefined ? before.system : promptFor({ ...request, instructions }, voice).system;
};

/** The prompt with its edits, for an adapter to send. Throws `INVALID_REQUEST` for a text that it has not. */
export const editPrompt = ({ voice, prompt }: RebuiltPrompt, edits: Edits, request: ModelRequest): GivenPrompt => {
  const { messages = [] } = edits;
  const { length } = prompt.user;
  const beyond = messages.find(({ index }) => index >= length);
  if (beyond !== undefined)
    throw new ServiceError(
      'INVALID_REQUEST',
      `"messages" names the text ${beyond.index}, but the prompt has ${length}, counted from 0`,
    );
  const texts = new Map(messages.map(({ index, content }) => [index, content]));
  const edited = (before: Prompt, of: Voice): Prompt => ({
    ...before,
    system: editedSystem(before, edits, request, of),
    user: before.user
      .map((part, i) => ({ ...part, text: texts.get(i) ?? part.text }))
      .filter(({ text }) => text !== ''),
  });
  return { voice, in: (of) => edited(of === voice ? prompt : promptFor(request, of), of) };
};
