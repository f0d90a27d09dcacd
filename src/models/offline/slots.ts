import { findTime } from './find-time.ts';
import { bareTitle } from './read-details.ts';
import type { Request, TimeWords } from './request.ts';
import { readEvent, readTodo } from './understand.ts';

/** What a request can lack, so that the user is asked for it; `other_time` is a time that the tool refused. */
export type Slot = 'text' | 'title' | 'title_and_when' | 'when' | 'remind' | 'hour' | 'id' | 'other_time';

/** What a request lacks, the most telling first; null when it can be carried out. */
export const missingSlot = (request: Request): Slot | null => {
  switch (request.kind) {
    case 'todo.add':
      if (request.text === null) return 'text';
      if (!request.wantsReminder) return null;
      if (request.remind === null) return 'remind';
      return request.remind.hasHour ? null : 'hour';
    case 'schedule.add':
      if (request.title === null) return request.when === null ? 'title_and_when' : 'title';
      if (request.when === null) return 'when';
      return request.when.hasHour ? null : 'hour';
    case 'todo.done':
    case 'todo.delete':
    case 'schedule.delete':
      return request.id === null ? 'id' : null;
    case 'todo.list':
    case 'todo.search':
    case 'schedule.list':
    case 'schedule.view':
    case 'web.search':
    case 'code':
      return null;
    default:
      return request satisfies never;
  }
};

/** The time that a request names, if its kind has one. */
export const timeOf = (request: Request): TimeWords | null => {
  if (request.kind === 'schedule.add') return request.when;
  return request.kind === 'todo.add' ? (request.remind ?? request.due) : null;
};

const withTime = (request: Request, time: TimeWords | null): Request => {
  if (time === null) return request;
  if (request.kind === 'schedule.add') return { ...request, when: time, minutes: time.minutes ?? request.minutes };
  if (request.kind !== 'todo.add') return request;
  return request.wantsReminder ? { ...request, remind: time } : { ...request, due: time };
};

/** The day that is known with the hour that was answered; an answer that names a day too stands alone. */
const withHour = (known: TimeWords | null, answer: TimeWords | null): TimeWords | null => {
  if (answer === null || !answer.hasHour) return null;
  if (answer.hasDay || known === null) return answer;
  return { ...answer, words: `${known.words} ${answer.words}`, hasDay: true };
};

const withTitle = (request: Request, answer: string): Request => {
  if (request.kind === 'schedule.add') {
    const event = readEvent(answer);
    const minutes = request.minutes ?? event.minutes;
    return { ...request, title: request.title ?? event.title, when: request.when ?? event.when, minutes };
  }
  if (request.kind !== 'todo.add') return request;
  const { text, due, remind } = readTodo(answer, request.wantsReminder);
  return { ...request, text: request.text ?? text, due: request.due ?? due, remind: request.remind ?? remind };
};

/** The request with what an answer says about the slot; unchanged when the answer doesn't say it. */
export const fillSlot = (request: Request, slot: Slot, answer: string): Request => {
  const time = findTime(answer)?.time ?? null;
  switch (slot) {
    case 'text':
    case 'title':
    case 'title_and_when':
      return withTitle(request, answer);
    case 'when':
    case 'remind':
    case 'other_time':
      return withTime(request, time);
    case 'hour':
      return withTime(request, withHour(timeOf(request), time));
    case 'id':
      return 'id' in request ? { ...request, id: /\d{1,9}/.exec(answer)?.[0] ?? null } : request;
    default:
      return slot satisfies never;
  }
};

/** What a question calls the request: its own words for the thing, else the whole step. */
export const subjectOf = (request: Request, step: string): string => {
  if (request.kind === 'schedule.add') return request.title ?? step;
  if (request.kind === 'todo.add') return request.text ?? step;
  return ('name' in request ? bareTitle(request.name) : null) ?? step;
};
