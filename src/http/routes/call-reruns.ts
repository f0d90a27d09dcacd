import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CallPrompt, CallRerun, CallRerunRequest } from '../../../contracts/call-rerun.ts';
import { RERUN_BYTES_MAX } from '../../../contracts/limits.ts';
import type { AskedCall } from '../../rerun/call-reruns.ts';
import { disconnectSignal } from '../streams/event-stream.ts';
import type { RouteParts } from './port.ts';
import { json, routesOf } from './schemas.ts';

type Parts = Pick<RouteParts, 'callReruns' | 'waiting' | 'replays'>;

/** Operators may ask any model that the service can reach, others those of its configuration. */
const askedIn = (
  { owner, role }: Pick<FastifyRequest, 'owner' | 'role'>,
  { task_id, effect_id }: { task_id: string; effect_id: string },
): AskedCall => ({ owner, task_id, effect_id, isAnyModel: role === 'operator' });

/**
 * `/v1/tasks/{task_id}/calls/{effect_id}/prompt` and `…/rerun`: one recorded model call, made again with an edited prompt or by another
 * model (SPEC 12). Changes nothing, stores nothing and runs no tool.
 */
export const addCallRerunRoutes = (app: FastifyInstance, { callReruns, waiting, replays }: Parts): void => {
  const { route } = routesOf(app, 'traces');

  route('GET /v1/tasks/:task_id/calls/:effect_id/prompt', 'getCallPrompt', {
    summary: 'The prompt of a recorded model call, to be edited',
    description:
      'With the models that may be asked, and the recorded answer. The prompt is the one that was sent while that is kept, else it is made ' +
      'from the history (`is_exact` false). 404 if no model was asked for the effect, or it has not answered yet.',
    query: z.strictObject({
      model: CallRerunRequest.shape.model.meta({ description: 'For which model; default: the recorded one.' }),
    }),
    options: {
      // The task's history is folded.
      preHandler: async (request, reply) => {
        replays.take(request, reply);
      },
    },
    returns: CallPrompt,
    handle: (request) => callReruns.prompt(askedIn(request, request.params), request.query.model),
  });

  route('POST /v1/tasks/:task_id/calls/:effect_id/rerun', 'rerunCall', {
    summary: 'Make one recorded model call again, with an edited prompt or by another model',
    description:
      'Answers with the new answer beside the recorded one: what the model said, whether the contract takes it and why not, tokens, cost and ' +
      'time. The task does not change, nothing is stored, and no tool runs. It counts in your usage and keeps to your daily quota. If the ' +
      'caller disconnects, the call is aborted.',
    body: CallRerunRequest,
    options: { bodyLimit: RERUN_BYTES_MAX },
    schema: { response: { 200: json('Both answers', CallRerun) } },
    handle: async (request, reply) => {
      waiting.take(request, reply);
      const left = disconnectSignal(reply);
      try {
        return reply.send(await callReruns.run(askedIn(request, request.params), request.body, left));
      } catch (error) {
        if (left.aborted) return reply.hijack();
        throw error;
      }
    },
  });
};
