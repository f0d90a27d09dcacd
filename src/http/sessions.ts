import { z } from 'zod';
import { SessionView, TaskView } from '../../contracts/http.ts';
import { SessionId } from '../../contracts/ids.ts';
import type { Door, DoorParts } from './door.ts';
import { problems } from './responses.ts';

/** Sessions in one reply: what a person scrolls through, and the most that a client may ask for. */
const SESSIONS_DEFAULT = 50;
const SESSIONS_MAX = 500;

const Limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, `must be 1 to ${SESSIONS_MAX}`)
  .transform(Number)
  .refine((limit) => limit <= SESSIONS_MAX, `must be 1 to ${SESSIONS_MAX}`)
  .optional()
  .meta({ description: `At most so many, up to ${SESSIONS_MAX}; default ${SESSIONS_DEFAULT}.` });

/** `GET /v1/sessions`, `GET /v1/sessions/{session_id}` and its tasks (SPEC 11). */
export const addSessionRoutes = (app: Door, { engine }: DoorParts): void => {
  const params = z.object({ session_id: SessionId });

  app.get(
    '/v1/sessions',
    {
      schema: {
        summary: 'Your sessions, the most recently used first',
        tags: ['sessions'],
        querystring: z.strictObject({ limit: Limit }),
        response: { 200: z.object({ sessions: z.array(SessionView) }), ...problems },
      },
    },
    async ({ owner, query }) => ({ sessions: engine.sessions(owner, query.limit ?? SESSIONS_DEFAULT) }),
  );

  app.get(
    '/v1/sessions/:session_id',
    {
      schema: {
        summary: 'A session with its active task and the inputs that wait',
        tags: ['sessions'],
        params,
        response: { 200: SessionView, ...problems },
      },
    },
    async ({ owner, params: { session_id } }) => engine.session(owner, session_id),
  );

  app.get(
    '/v1/sessions/:session_id/tasks',
    {
      schema: {
        summary: "All of a session's tasks",
        tags: ['tasks'],
        params,
        response: { 200: z.object({ tasks: z.array(TaskView) }), ...problems },
      },
    },
    async ({ owner, params: { session_id } }) => ({ tasks: engine.tasks(owner, session_id) }),
  );
};
