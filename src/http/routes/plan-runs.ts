import type { FastifyInstance } from 'fastify';
import { RunNamedPlan } from '../../../contracts/http.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { routesOf } from './schemas.ts';
import { createTurnSender, TurnHeaders, type TurnParts, turnReplies } from './send-turn.ts';

interface Parts extends TurnParts {
  engine: TurnParts['engine'] & Pick<SessionsApi, 'session'>;
}

/** The command that says the same, as the turn's input shows it. */
const commandOf = (planId: string, values: Record<string, unknown>): string => {
  const pairs = Object.entries(values).map(([name, value]) => `${name}="${String(value).replaceAll('"', '\\"')}"`);
  return ['/plan run', planId, ...pairs].join(' ');
};

/** `POST /v1/sessions/{session_id}/plans/{plan_id}/run`, the same as `/plan run` (SPEC 10). */
export const addPlanRunRoute = (app: FastifyInstance, parts: Parts): void => {
  const { route } = routesOf(app, 'plans');
  const send = createTurnSender(parts);

  route('POST /v1/sessions/:session_id/plans/:plan_id/run', 'runPlan', {
    summary: 'Run a named plan as a task',
    description:
      'Opens a task whose first plan has all steps of the named one, without a model call for it. `{placeholders}` in its title and steps are ' +
      'filled from `values`, else from `metadata`; 400 names each without a value. The named plan stays as it is. Replies as `POST ' +
      '/v1/sessions/{session_id}/turns` does. 409 while a task of the session waits for an answer.',
    body: RunNamedPlan.nullish(),
    schema: { headers: TurnHeaders, response: turnReplies },
    handle: async (request, reply) => {
      const { session_id, plan_id } = request.params;
      await parts.engine.session(request.owner, session_id);
      const { values = {}, ...options } = request.body ?? {};
      const input = commandOf(plan_id, values);
      return send(request, reply, { ...options, input, run: { plan_id, values } });
    },
  });
};
