import { expect } from 'vitest';
import type { ConversationTurn } from '../../contracts/task.ts';
import { openOwnerDatabase } from '../tools/owner-database.ts';
import { type OfflineTask, openOfflineTask } from './offline-task.ts';

/** The outcome of one thing that the user said. */
export interface Said {
  /** The question that is open now, with its options; null when the task has ended. */
  question: string | null;
  options: string[];
  /** The answer that ended the task, without the note of which model it is from; empty while it asks. */
  answer: string;
  outcome: string | null;
  /** The tools' results since the task began, failed ones marked with `!`. */
  results: string[];
  log: string[];
}

/** A session of the offline model with the real machine and tools, whose entries and conversation last from task to task. */
export interface OfflineSession {
  /** Opens a task with the text, or answers the open question with it. */
  say(text: string): Promise<Said>;
}

const NOTE = /\n\n[(（][^\n]*(?:offline model|离线模型)[^\n]*$/u;

/** Opens a session of an owner without entries, on Saturday 2026-11-21 at 10:30 in Berlin. */
export const openOfflineSession = (): OfflineSession => {
  const database = openOwnerDatabase();
  const conversation: ConversationTurn[] = [];
  let open: OfflineTask | null = null;
  let goal = '';
  return {
    async say(text) {
      if (open === null) {
        goal = text;
        open = openOfflineTask(text, { conversation: [...conversation] }, undefined, database);
      } else open.task.answers(text);
      const { task, log } = await open.run();
      const { context } = task;
      const isAsking = task.state === 'awaiting_user';
      const response = isAsking ? '' : (context.pending_final_response ?? '');
      if (!isAsking) {
        conversation.push({ said: goal, answered: response });
        open = null;
      }
      return {
        question: isAsking ? context.last_ask_user_question : null,
        options: isAsking ? context.question_options : [],
        answer: response.replace(NOTE, ''),
        outcome: context.outcome,
        results: context.observations.map(({ ok, result }) => (ok ? result : `! ${result.split('\n')[0]}`)),
        log,
      };
    },
  };
};

/** The user's words, and the answer, or `?` and the question with its options. */
export type Exchange = [said: string, outcome: string];

/** Holds a talk in a session of its own. */
export const expectTalk = async (exchanges: Exchange[]): Promise<void> => {
  const session = openOfflineSession();
  for (const [text, outcome] of exchanges) {
    const { question, options, answer } = await session.say(text);
    const asked = ['?', question, ...(options.length > 0 ? [options.join(' · ')] : [])].join(' ');
    expect(`${text}: ${question === null ? answer : asked}`).toBe(`${text}: ${outcome}`);
  }
};
