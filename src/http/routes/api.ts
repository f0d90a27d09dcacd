import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { addCallbackRoutes } from './callbacks.ts';
import { addFileRoutes } from './files.ts';
import { addKeyRoutes } from './keys.ts';
import { addLimitsRoute, addUsageRoute } from './limits.ts';
import { addPlanRoutes } from './plans.ts';
import { completeSchemas } from './schemas.ts';
import { addEventRoutes, addSessionRoutes } from './sessions.ts';
import { addForkRoute, addTaskRoutes } from './tasks.ts';
import { addContractRoute, addToolsRoute } from './tools.ts';
import { addCallRoutes, addReplayRoute, addTraceRoutes } from './traces.ts';
import { addTurnRoutes } from './turns.ts';

/** Adds all routes below `/v1`. */
export const addApiRoutes = (v1: HttpApp, parts: RouteDependencies): void => {
  completeSchemas(v1);
  addTurnRoutes(v1, parts);
  addSessionRoutes(v1, parts);
  addPlanRoutes(v1, parts);
  addFileRoutes(v1, parts);
  addTaskRoutes(v1, parts);
  addCallbackRoutes(v1, parts);
  addForkRoute(v1, parts);
  addEventRoutes(v1, parts);
  addTraceRoutes(v1, parts);
  addCallRoutes(v1, parts);
  addReplayRoute(v1, parts);
  addContractRoute(v1);
  addLimitsRoute(v1, parts);
  addUsageRoute(v1, parts);
  addKeyRoutes(v1, parts);
  addToolsRoute(v1, parts);
};
