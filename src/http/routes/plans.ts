import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../../contracts/error-code.ts';
import {
  CreateNamedPlan,
  MarkNamedStep,
  NamedPlan,
  NamedPlanSummary,
  UpdateNamedPlan,
} from '../../../contracts/named-plan.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Queries } from '../../lib/queries.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { namedPlans, PlanRefused, type PlanScope } from '../../tools/planning/named-plans.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

const stepIndex = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : Number.NaN);

const refusals: Record<PlanRefused['reason'], readonly [ErrorCode, string]> = {
  unknown: ['PLAN_NOT_FOUND', 'There is no plan with that id in this session'],
  no_active: ['PLAN_NOT_FOUND', 'There is no plan with that id in this session'],
  no_such_step: ['PLAN_NOT_FOUND', 'The plan has no step with that index'],
  exists: ['PLAN_EXISTS', 'A plan with that id already exists; update it, or choose another id'],
  full: ['INVALID_REQUEST', 'This session has too many plans; delete one first'],
};

interface Parts extends Pick<RouteParts, 'ownerData' | 'isStored' | 'now'> {
  engine: Pick<SessionsApi, 'openSession' | 'session'>;
}

/**
 * Adds `/v1/sessions/{session_id}/plans…`: the session's named plans, the same as `/plan` and the planning tool (SPEC
 * 10).
 */
export const addPlanRoutes = (app: FastifyInstance, { engine, ownerData, isStored, now }: Parts): void => {
  const { route } = routesOf(app, 'plans');

  const onPlans = <Result>(scope: PlanScope, work: (scope: PlanScope) => Queries<Result>): Promise<Result> =>
    ownerData
      .run(scope.owner, () => work(scope))
      .catch((error: unknown) => {
        throw error instanceof PlanRefused ? new ServiceError(...refusals[error.reason]) : error;
      });
  /** Runs work on the plans of an existing session of the caller's. */
  const inSession = async <Result>(
    { owner, params: { session_id } }: { owner: string; params: { session_id: string } },
    work: (scope: PlanScope) => Queries<Result>,
  ): Promise<Result> => {
    await engine.session(owner, session_id);
    return onPlans({ owner, session_id }, work);
  };

  route('GET /v1/sessions/:session_id/plans', 'listPlans', {
    summary: "All of a session's named plans",
    description: 'Without their steps. At most one of them is the active one.',
    returns: z.object({ plans: z.array(NamedPlanSummary) }),
    handle: async (request) => ({ plans: await inSession(request, (scope) => namedPlans.list(scope)) }),
  });

  route('POST /v1/sessions/:session_id/plans', 'createPlan', {
    summary: 'Make a named plan; it becomes the active one',
    description: 'Creates the session if it does not exist.',
    body: CreateNamedPlan,
    status: 201,
    returns: NamedPlan,
    handle: async ({ owner, params: { session_id }, body }, reply) => {
      await engine.openSession({ owner, session_id });
      const plan = await onPlans({ owner, session_id }, function* (scope) {
        // The session may have been removed in the meantime.
        if (!(yield* isStored(scope)))
          throw new ServiceError('SESSION_NOT_FOUND', 'The session was removed in the meantime');
        return yield* namedPlans.create(scope, body, now());
      });
      reply.header('location', `/v1/sessions/${session_id}/plans/${encodeURIComponent(plan.plan_id)}`);
      return plan;
    },
  });

  route('GET /v1/sessions/:session_id/plans/:plan_id', 'getPlan', {
    summary: 'A named plan with its steps',
    description: "It is not a task's plan, and nothing executes it.",
    returns: NamedPlan,
    handle: (request) => inSession(request, (scope) => namedPlans.get(scope, request.params.plan_id)),
  });

  route('PATCH /v1/sessions/:session_id/plans/:plan_id', 'updatePlan', {
    summary: 'Change the title or the steps of a named plan',
    description: 'Absent fields stay unchanged; a step whose text is unchanged keeps its status.',
    body: UpdateNamedPlan,
    returns: NamedPlan,
    handle: (request) =>
      inSession(request, (scope) => namedPlans.update(scope, request.params.plan_id, request.body, now())),
  });

  route('DELETE /v1/sessions/:session_id/plans/:plan_id', 'deletePlan', {
    summary: 'Delete a named plan',
    description: 'If it was the active plan, no plan is active afterwards.',
    handle: (request) => inSession(request, (scope) => namedPlans.remove(scope, request.params.plan_id)),
  });

  route('POST /v1/sessions/:session_id/plans/:plan_id/activate', 'activatePlan', {
    summary: 'Make a named plan the active one',
    description: 'The active plan is used where no plan is named.',
    body: z.strictObject({}).nullish(),
    returns: NamedPlan,
    handle: (request) => inSession(request, (scope) => namedPlans.activate(scope, request.params.plan_id)),
  });

  route('PATCH /v1/sessions/:session_id/plans/:plan_id/steps/:step_index', 'markPlanStep', {
    summary: 'Set the status or notes of a step of a named plan',
    description: 'Steps count from 0. Absent fields stay unchanged; null removes notes.',
    body: MarkNamedStep,
    returns: NamedPlan,
    handle: (request) => {
      const { plan_id, step_index } = request.params;
      return inSession(request, (scope) => namedPlans.mark(scope, plan_id, stepIndex(step_index), request.body, now()));
    },
  });
};
