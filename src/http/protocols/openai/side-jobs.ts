import { plainLine } from '../../../../contracts/text.ts';
import type { Said } from './messages.ts';

const TITLE_CHARS_MAX = 60;
const TITLE_WORDS_MAX = 6;

/** Longest text that is given back as the description of an image, in characters. */
const PROMPT_CHARS_MAX = 1_000;

const NO_TITLE = 'Tripact';

/** The answer to a job that a front end sends beside the conversation; `fields` where an object is asked for. */
export interface SideAnswer {
  text: string;
  fields?: { language: string; title: string };
}

const titleOf = (text: string): string => {
  const words = plainLine(text, TITLE_CHARS_MAX * 4).split(' ');
  const title = plainLine(words.slice(0, TITLE_WORDS_MAX).join(' '), TITLE_CHARS_MAX);
  const signs = /["'“‘”’#.,;:!?。，；：！？*\s]/u;
  const from = [...title].findIndex((sign) => !signs.test(sign));
  const to = [...title].findLastIndex((sign) => !signs.test(sign));
  return from === -1 ? NO_TITLE : [...title].slice(from, to + 1).join('');
};

/** The text between two marks; to the end where the second one is missing, empty without the first. */
const between = (text: string, begin: string, ...ends: readonly string[]): string => {
  const from = text.indexOf(begin);
  if (from === -1) return '';
  const rest = text.slice(from + begin.length);
  const found = ends.map((end) => rest.indexOf(end)).filter((at) => at !== -1);
  return rest.slice(0, Math.min(rest.length, ...found)).trim();
};

const HISTORY = '<chat_history>';

/** Which field of JSON a prompt of Open WebUI asks for, by the head of the prompt. */
const FIELD = /"(title|tags|follow_ups|queries|prompt|text)"/;

/** Jobs of Open WebUI: they begin alike, as does its prompt for documents, which is the user's own message and no job. */
const openWebUiJob = (prompt: string): SideAnswer | null => {
  const at = prompt.indexOf(HISTORY);
  // A source that was found may have anything in it.
  if (at === -1 || prompt.slice(0, at).includes('<context>')) return null;
  const head = prompt.slice(0, at);
  const history = prompt.slice(at + HISTORY.length, prompt.lastIndexOf('</chat_history>'));
  const [, field] = FIELD.exec(head) ?? [];
  const fields = (value: string | string[]): SideAnswer => ({ text: JSON.stringify({ [field ?? '']: value }) });
  const title = titleOf(between(history, 'USER:', '\nASSISTANT:'));
  switch (field) {
    case 'title':
      return fields(title);
    case 'tags':
    case 'follow_ups':
    case 'queries':
      return fields([]);
    case 'prompt': {
      const last = between(history.slice(Math.max(history.lastIndexOf('USER:'), 0)), 'USER:', '\nASSISTANT:');
      return fields(plainLine(last, PROMPT_CHARS_MAX));
    }
    case 'text':
      return fields('');
    default:
      return /\btitle\b/i.test(head) ? { text: title } : null;
  }
};

const libreChatTitle = (prompt: string): SideAnswer => {
  const said = between(prompt, 'User:', '\nAI:', '\n||>');
  const title = titleOf(said);
  return { text: title, fields: { language: /\p{Script=Han}/u.test(said) ? 'Chinese' : 'English', title } };
};

const firstSaid = (_prompt: string, said: readonly Said[]): SideAnswer => ({
  text: titleOf(said.find(({ role }) => role === 'user')?.text ?? ''),
});

/** Jobs by how their prompts begin. */
const jobs: readonly [begin: string, answer: (prompt: string, said: readonly Said[]) => SideAnswer | null][] = [
  ['### Task:', openWebUiJob],
  ["Your task is to reflect the speaker's likely facial expression through a fitting emoji", () => ({ text: '🙂' })],
  // LibreChat.
  ['Provide a concise, 5-word-or-less title for the conversation', libreChatTitle],
  ['Please generate a concise, 5-word-or-less title', libreChatTitle],
  ['Analyze this conversation and provide:\n1. The detected language', libreChatTitle],
  // Chatbox.
  [
    'Based on the chat history, give this conversation a ',
    (prompt) => ({ text: titleOf(between(prompt, '```', '---------', '```')) }),
  ],
  // NextChat: the last message of the whole conversation.
  ['Please generate a four to five word title summarizing our conversation', firstSaid],
  ['使用四到五个字直接返回这句话的简要主题', firstSaid],
  ['Summarize the discussion briefly in 200 words or less to use as a prompt for future context', firstSaid],
  ['简要总结一下对话内容，用作后续的上下文提示 prompt', firstSaid],
];

/** How instructions begin by which LobeChat and Cherry Studio have a conversation named, which the user's message holds. */
const NAMING = [
  'You are a professional conversation summarizer. Generate a concise title',
  'You are an assistant skilled in conversation who needs to summarize user conversations into titles',
  '你是一名擅长会话的助理，你需要将用户的会话总结为',
  'Summarize the conversation into a title in ',
];

const namesConversation = ({ role, text }: Said): boolean =>
  role === 'system' && NAMING.some((begin) => text.trimStart().startsWith(begin));

/** The title of a conversation, from its lines (LobeChat), its JSON (Cherry Studio) or its first message alone. */
const namedFrom = (conversation: string): SideAnswer => {
  const [, json] = /"mainText":("(?:[^"\\]|\\.)*")/.exec(conversation) ?? [];
  if (json !== undefined) return { text: titleOf(String(JSON.parse(json))) };
  return { text: titleOf(between(conversation, 'user: ', '\nassistant: ', '\nuser: ') || conversation) };
};

/** True for the instructions by which Open WebUI has a model choose among its own tools. */
const choosesTools = ({ role, text }: Said): boolean =>
  role === 'system' &&
  text.startsWith('Available Tools: ') &&
  text.includes('Your task is to choose and return the correct tool(s)');

/**
 * The answer to a job that a front end sends to the same model beside the conversation, such as a title for it: made from the
 * message itself, without a model. Null for a user's own message.
 */
export const sideAnswer = (said: readonly Said[]): SideAnswer | null => {
  if (said.some(choosesTools)) return { text: '{"tool_calls": []}' };
  if (said.some(namesConversation)) return namedFrom(said.find(({ role }) => role === 'user')?.text ?? '');
  const prompt = said.at(-1)?.text.trimStart() ?? '';
  const job = jobs.find(([begin]) => prompt.startsWith(begin));
  return job === undefined ? null : job[1](prompt, said);
};
