import type { FastifyInstance } from 'fastify';
import { ScheduleEventView, TodoView } from '../../../contracts/http.ts';
import type { RouteDependencies } from '../http-app.ts';
import { routesOf } from './schemas.ts';

/** `GET /v1/todos` and `GET /v1/schedule`: an owner's todos and events, the same in all sessions; they are changed by the tools (SPEC 8, 11). */
export const addTodoRoutes = (app: FastifyInstance, { ownerLists }: RouteDependencies): void => {
  const { list } = routesOf(app, 'todos');

  list('/v1/todos', 'listTodos', {
    summary: 'Your todos',
    description: 'In the order in which they were made, done ones too.',
    items: { todos: TodoView },
    read: ({ owner }, page) => ownerLists.todos(owner, page),
  });

  list('/v1/schedule', 'listSchedule', {
    summary: 'The events of your schedule',
    description: 'In the order in which they were made. One that repeats is there once, with its rule.',
    items: { events: ScheduleEventView },
    read: ({ owner }, page) => ownerLists.schedule(owner, page),
  });
};
