import type { FastifyInstance } from 'fastify';
import type { RouteDependencies } from '../http-app.ts';
import { addCallbackRoutes } from './callbacks.ts';
import { addFileRoutes } from './files.ts';
import { addGoalRoutes } from './goals.ts';
import { addMetricsRoute } from './health.ts';
import { addKeyRoutes } from './keys.ts';
import { addLimitRoutes } from './limits.ts';
import { addMemoryRoutes } from './memory.ts';
import { addPlanRoutes } from './plans.ts';
import { addSessionRoutes } from './sessions.ts';
import { addTaskRoutes } from './tasks.ts';
import { addTodoRoutes, addToolRoutes } from './tools.ts';
import { addTraceRoutes } from './traces.ts';
import { addTurnRoutes } from './turns.ts';
import { addUserRoutes } from './users.ts';

/** Adds all routes below `/v1`, and `/metrics`. */
export const addApiRoutes = (v1: FastifyInstance, parts: RouteDependencies): void => {
  addMetricsRoute(v1, parts);
  addTurnRoutes(v1, parts);
  addSessionRoutes(v1, parts);
  addPlanRoutes(v1, parts);
  addFileRoutes(v1, parts);
  addTaskRoutes(v1, parts);
  addCallbackRoutes(v1, parts);
  addTraceRoutes(v1, parts);
  addLimitRoutes(v1, parts);
  addKeyRoutes(v1, parts);
  addUserRoutes(v1, parts);
  addTodoRoutes(v1, parts);
  addGoalRoutes(v1, parts);
  addMemoryRoutes(v1, parts);
  addToolRoutes(v1, parts);
};
