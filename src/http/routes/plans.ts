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
import type { Asking } from '../../store/questions.ts';
import { namedPlans, PlanRefused, type PlanScope } from '../../tools/planning/named-plans.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { InSession, json, nothing, operations } from './schemas.ts';

const described = operations('plans');

// Any text: a malformed plan id or step index is one that does not exist.
const OfPlan = InSession.extend({ plan_id: z.string().meta({ description: "The plan's name in its session." }) });
const OfStep = OfPlan.extend({ step_index: z.string().meta({ description: 'The number of the step, from 0.' }) });

const stepIndex = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : Number.NaN);

const refusals: Record<PlanRefused['reason'], readonly [ErrorCode, string]> = {
  unknown: ['PLAN_NOT_FOUND', 'There is no plan of that id in this session'],
  no_active: ['PLAN_NOT_FOUND', 'There is no plan of that id in this session'],
  no_such_step: ['PLAN_NOT_FOUND', 'The plan has no step of that index'],
  exists: ['PLAN_EXISTS', 'There is a plan of that id already; update it, or choose another id'],
  full: ['INVALID_REQUEST', 'This session keeps too many plans; delete one first'],
};

const withProblems = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw error instanceof PlanRefused ? new ServiceError(...refusals[error.reason]) : error;
  });

/** Adds `/v1/sessions/{session_id}/plans…`: the session's named plans, the same as `/plan` and the planning tool (SPEC 10). */
export const addPlanRoutes = (app: HttpApp, { engine, ownerData, now }: RouteDependencies): void => {
  const root = '/v1/sessions/:session_id/plans';
  const one = `${root}/:plan_id`;
  /** Works on the plans of a session that exists and is the caller's. */
  const inSession = async <Result>(
    { owner, params }: { owner: string; params: z.infer<typeof InSession> },
    work: (scope: PlanScope) => Asking<Result>,
  ): Promise<Result> => {
    const { session_id } = params;
    await engine.session(owner, session_id);
    return withProblems(ownerData.run(owner, () => work({ owner, session_id })));
  };

  const response = { 200: json('The plan', NamedPlan) };
  const listed = z.object({ plans: z.array(NamedPlanSummary) });

  app.get(
    root,
    described('listPlans', "All of a session's named plans", {
      description: 'Without their steps. At most one of them is the active one.',
      params: InSession,
      response: { 200: json('The plans', listed) },
    }),
    async (request) => ({ plans: await inSession(request, (scope) => namedPlans.list(scope)) }),
  );
  app.post(
    root,
    described('createPlan', 'Make a named plan; it becomes the active one', {
      description: 'It may be the first thing in a session, which is made by it.',
      params: InSession,
      body: CreateNamedPlan,
      response: { 201: json('The new plan', NamedPlan) },
    }),
    async (request, reply) => {
      const { owner, params, body } = request;
      const scope = { owner, session_id: params.session_id };
      await engine.openSession(scope);
      const plan = await withProblems(ownerData.run(owner, () => namedPlans.create(scope, body, now())));
      const address = `/v1/sessions/${params.session_id}/plans/${encodeURIComponent(plan.plan_id)}`;
      return reply.code(201).header('location', address).send(plan);
    },
  );
  app.get(
    one,
    described('getPlan', 'A named plan with its steps', {
      description: "It is no task's plan, and nothing runs it.",
      params: OfPlan,
      response,
    }),
    async (request) => inSession(request, (scope) => namedPlans.get(scope, request.params.plan_id)),
  );
  app.patch(
    one,
    described('updatePlan', 'Change the title or the steps of a named plan', {
      description: 'What is absent stays; a step whose text is unchanged keeps its status.',
      params: OfPlan,
      body: UpdateNamedPlan,
      response,
    }),
    async (request) =>
      inSession(request, (scope) => namedPlans.update(scope, request.params.plan_id, request.body, now())),
  );
  app.delete(
    one,
    described('deletePlan', 'Delete a named plan', {
      description: 'Where it was the active one, none is active then.',
      params: OfPlan,
      response: { 204: nothing('The plan is deleted') },
    }),
    async (request, reply) => {
      await inSession(request, (scope) => namedPlans.remove(scope, request.params.plan_id));
      return reply.code(204).send(null);
    },
  );
  app.post(
    `${one}/activate`,
    described('activatePlan', 'Make a named plan the active one', {
      description: 'The active plan is the one that is meant when none is named.',
      params: OfPlan,
      body: z.strictObject({}).nullish(),
      response,
    }),
    async (request) => inSession(request, (scope) => namedPlans.activate(scope, request.params.plan_id)),
  );
  app.patch(
    `${one}/steps/:step_index`,
    described('markPlanStep', 'Mark a step of a named plan, or note something on it', {
      description: 'Steps count from 0. What is absent stays; notes that are null are removed.',
      params: OfStep,
      body: MarkNamedStep,
      response,
    }),
    async (request) => {
      const { plan_id, step_index } = request.params;
      return inSession(request, (scope) => namedPlans.mark(scope, plan_id, stepIndex(step_index), request.body, now()));
    },
  );
};
