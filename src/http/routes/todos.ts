import { ScheduleEventView, TodoView } from '../../../contracts/http.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { operations, Paging, page, pageOf, pageReply } from './schemas.ts';

const described = operations('todos');

/** `GET /v1/todos` and `GET /v1/schedule`: an owner's todos and events, the same in all sessions; they are changed by the tools (SPEC 8, 11). */
export const addTodoRoutes = (app: HttpApp, { ownerLists }: RouteDependencies): void => {
  app.get(
    '/v1/todos',
    described('listTodos', 'Your todos', {
      description: 'In the order in which they were made, done ones too.',
      querystring: Paging,
      response: { 200: page('todos', TodoView) },
    }),
    async ({ owner, query }) => pageReply('todos', await ownerLists.todos(owner, pageOf(query))),
  );

  app.get(
    '/v1/schedule',
    described('listSchedule', 'The events of your schedule', {
      description: 'In the order in which they were made. One that repeats is there once, with its rule.',
      querystring: Paging,
      response: { 200: page('events', ScheduleEventView) },
    }),
    async ({ owner, query }) => pageReply('events', await ownerLists.schedule(owner, pageOf(query))),
  );
};
