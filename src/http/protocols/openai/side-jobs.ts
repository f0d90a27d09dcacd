import { plainLine } from '../../../../contracts/text.ts';
import type { Said } from './messages.ts';

const TITLE_CHARS_MAX = 60;
const TITLE_WORDS_MAX = 6;

const PROMPT_CHARS_MAX = 1_000;

/** How the prompts of side jobs with a short answer begin, and instructions whose user message is the conversation. */
const JOBS = [
  // Open WebUI, in a call.
  "Your task is to reflect the speaker's likely facial expression through a fitting emoji",
  // LibreChat.
  'Provide a concise, 5-word-or-less title for the conversation',
  'Please generate a concise, 5-word-or-less title',
  'Analyze this conversation and provide:\n1. The detected language',
  // Chatbox.
  'Based on the chat history, give this conversation a ',
  // NextChat: the last message of the whole conversation.
  'Please generate a four to five word title summarizing our conversation',
  '使用四到五个字直接返回这句话的简要主题',
  'Summarize the discussion briefly in 200 words or less to use as a prompt for future context',
  '简要总结一下对话内容，用作后续的上下文提示 prompt',
  // LobeChat and Cherry Studio, as instructions.
  'You are a professional conversation summarizer. Generate a concise title',
  'You are an assistant skilled in conversation who needs to summarize user conversations into titles',
  '你是一名擅长会话的助理，你需要将用户的会话总结为',
  'Summarize the conversation into a title in ',
  '总结给出的会话，将其总结为语言为',
];

const isJob = ({ text }: Said): boolean => JOBS.some((begin) => text.trimStart().startsWith(begin));

/** The user's first line in a conversation that is passed as one text: as JSON, by speakers, or between marks. */
const FIRST_LINE = /"mainText":"([^"\\]*)|^(?:\|\|>)?user:\s*(.*)|```\s*(.*)/im;

/** The first words of the conversation, taken from the text if it contains them, else from the first message. */
const titleOf = (text: string, said: readonly Said[] = []): string => {
  const told = FIRST_LINE.exec(text)
    ?.slice(1)
    .find((line) => line !== undefined);
  const first = told ?? said.find((one) => one.role === 'user' && !isJob(one))?.text ?? '';
  const words = plainLine(first, TITLE_CHARS_MAX * 4)
    .split(' ')
    .slice(0, TITLE_WORDS_MAX);
  const title = plainLine(words.join(' '), TITLE_CHARS_MAX);
  // Without surrounding punctuation.
  return /[^\s\p{P}](?:.*[^\s\p{P}])?/u.exec(title)?.[0] ?? 'Tripact';
};

const HISTORY = '<chat_history>';
const USER = 'USER:';

/** Which JSON field a prompt of Open WebUI asks for, by the head of the prompt. */
const FIELD = /"(title|tags|follow_ups|queries|prompt|text)"/;

/** Answers Open WebUI's side jobs. Its prompt for documents begins alike, but is the user's own message. */
const openWebUiAnswer = (prompt: string): string | null => {
  const [head = '', history] = prompt.split(HISTORY, 2);
  // A retrieved source can contain anything.
  if (history === undefined || head.includes('<context>')) return null;
  const title = titleOf(history);
  const [, field] = FIELD.exec(head) ?? [];
  if (field === undefined) return /\btitle\b/i.test(head) ? title : null;
  const newest = history.slice(history.lastIndexOf(USER) + USER.length, history.lastIndexOf('</chat_history>'));
  const values: Record<string, string> = { title, text: '', prompt: plainLine(newest, PROMPT_CHARS_MAX) };
  return JSON.stringify({ [field]: values[field] ?? [] });
};

const isInstruction = ({ role }: Said): boolean => role === 'system' || role === 'developer';

/** True for Open WebUI's instructions to choose among its own tools. */
const choosesTools = (said: Said): boolean =>
  isInstruction(said) &&
  said.text.startsWith('Available Tools: ') &&
  said.text.includes('Your task is to choose and return the correct tool(s)');

/** The answer to a front end's side job, such as a title, made without a model; null for a user's own message. */
export const sideAnswer = (said: readonly Said[]): string | null => {
  if (said.some(choosesTools)) return '{"tool_calls": []}';
  const last = said.at(-1);
  if (last === undefined) return null;
  const prompt = last.text.trimStart();
  if (prompt.startsWith('### Task:')) return openWebUiAnswer(prompt);
  return isJob(last) || said.some((one) => isInstruction(one) && isJob(one)) ? titleOf(prompt, said) : null;
};
