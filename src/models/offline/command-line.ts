import type { NextAction } from '../../../contracts/thought.ts';
import type { Request, ScheduleAdd, TodoAdd } from './request.ts';

/** In quotes, so that a command line takes it as one word; a backslash at the end would swallow the closing quote. */
const quoted = (text: string): string => `"${text.replace(/"/g, '\\"').replace(/\\$/, '\\ ')}"`;

/** A search word: quoted only where it could be taken for an option or a quote. */
const searchWord = (word: string): string => (/^[\p{L}\p{N}]/u.test(word) ? word : quoted(word));

const todoAdd = ({ text, due, remind, tags, priority }: TodoAdd): string =>
  [
    'add',
    quoted(text ?? ''),
    ...tags.map((tag) => `--tag ${tag}`),
    ...(priority === null ? [] : [`--priority ${priority}`]),
    ...(due === null ? [] : [`--due ${quoted(due.words)}`]),
    ...(remind === null ? [] : [`--remind ${quoted(remind.words)}`]),
  ].join(' ');

const scheduleAdd = ({ title, when, minutes }: ScheduleAdd): string =>
  ['add', quoted(when?.words ?? ''), quoted(title ?? ''), ...(minutes === null ? [] : [`--duration ${minutes}`])].join(
    ' ',
  );

/** The tool call that carries a request out (SPEC 8): one command line. The request must have all that it needs. */
export const actionFor = (request: Request): NextAction => {
  switch (request.kind) {
    case 'todo.add':
      return { tool: 'todo', input: todoAdd(request) };
    case 'todo.list': {
      const view = request.view === null ? '' : ` --view ${request.view}`;
      return { tool: 'todo', input: `list${view}${request.tag === null ? '' : ` --tag ${request.tag}`}` };
    }
    case 'todo.search':
      return { tool: 'todo', input: `search ${request.words.split(/\s+/).map(searchWord).join(' ')}` };
    case 'todo.done':
      return { tool: 'todo', input: `done ${request.id}` };
    case 'todo.delete':
      return { tool: 'todo', input: `delete ${request.id}` };
    case 'schedule.add':
      return { tool: 'schedule', input: scheduleAdd(request) };
    case 'schedule.list':
      return { tool: 'schedule', input: 'list' };
    case 'schedule.view': {
      const date = request.date === null ? '' : ` ${quoted(request.date)}`;
      return { tool: 'schedule', input: `view ${request.span}${date}` };
    }
    case 'schedule.delete':
      return { tool: 'schedule', input: `delete ${request.id}` };
    case 'web.search':
      return { tool: 'internet_search', input: request.words };
    case 'code':
      return { tool: 'coding_agent', input: request.text };
    default:
      return request satisfies never;
  }
};
