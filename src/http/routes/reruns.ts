import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RERUN_BYTES_MAX } from '../../../contracts/limits.ts';
import { RERUN_ENTRIES_MAX, RERUN_TASKS_MAX, RerunRequest, RerunSummary, RerunView } from '../../../contracts/rerun.ts';
import { TaskTraceEntry } from '../../../contracts/trace.ts';
import { ServiceError } from '../../lib/errors.ts';
import { readRecording } from '../../rerun/recording.ts';
import { type RerunSource, rerunSource } from '../../rerun/rerun.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { RouteParts } from './port.ts';
import { json, NDJSON, routesOf, sequenceOf } from './schemas.ts';

interface Parts extends Pick<RouteParts, 'reruns' | 'currency'> {
  engine: Pick<SessionsApi, 'session' | 'sessionFeedback' | 'sessionTrace' | 'task' | 'taskFeedback' | 'taskTrace'>;
}

/** Reruns ask any model with any instructions, so they are for operators, each for their own tasks. */
const assertOperator = ({ role }: Pick<FastifyRequest, 'role'>): void => {
  if (role !== 'operator')
    throw new ServiceError(
      'OPERATOR_REQUIRED',
      'Reruns are for operators; ask one, or send a key with the role operator',
    );
};

async function* tracesOf(engine: Parts['engine'], owner: string, ids: readonly string[]): AsyncGenerator<unknown> {
  for (const id of ids) {
    yield* engine.taskTrace(owner, id);
    yield* engine.taskFeedback(owner, id);
  }
}

/** `/v1/reruns…`: runs recorded tasks again and compares them (docs/rerun.md). Changes nothing of the owner's data. */
export const addRerunRoutes = (app: FastifyInstance, { engine, reruns, currency }: Parts): void => {
  const { route, list } = routesOf(app, 'traces');

  /** The recorded tasks of a request. */
  const sourcesOf = async (owner: string, { task_ids, session_id, trace }: RerunRequest): Promise<RerunSource[]> => {
    if (session_id !== undefined) await engine.session(owner, session_id);
    for (const id of task_ids ?? []) await engine.task(owner, id);
    const sources: RerunSource[] = [];
    const read = async (lines: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> => {
      sources.push(...(await readRecording(lines, RERUN_ENTRIES_MAX)).map((recorded) => rerunSource(recorded, null)));
      if (sources.length > RERUN_TASKS_MAX)
        throw new ServiceError('INPUT_TOO_LARGE', `A rerun may have ${RERUN_TASKS_MAX} tasks at most; send fewer`);
    };
    // Each task's own trace: those of one session are not in the order of its entries.
    if (task_ids !== undefined) for (const id of new Set(task_ids)) await read(tracesOf(engine, owner, [id]));
    else await read(trace ?? engine.sessionTrace(owner, session_id ?? ''));
    return sources;
  };

  route('POST /v1/reruns', 'startRerun', {
    summary: 'Run recorded tasks again and compare',
    description:
      'Runs your own tasks, or those of a trace, again: with the same model, and with a candidate if the body has its `model` or `instructions`. The recorded ' +
      'tools and users answer, and no tool that writes runs. 202 with the rerun, whose progress and report are at `Location`. For operators. Its model calls count in your ' +
      'quota and usage. It is kept in memory: a restart stops it, and the oldest of yours are forgotten.',
    body: RerunRequest,
    options: { bodyLimit: RERUN_BYTES_MAX },
    schema: { response: { 202: json('The rerun, which has begun', RerunView) } },
    handle: async (request, reply) => {
      assertOperator(request);
      const { owner, body } = request;
      if (body.max_cost !== undefined && currency === null)
        throw new ServiceError('INVALID_REQUEST', '"max_cost" needs a service with prices');
      const rerun = reruns.start(owner, body, await sourcesOf(owner, body));
      return reply.code(202).header('location', `/v1/reruns/${rerun.id}`).send(rerun);
    },
  });

  list('/v1/reruns', 'listReruns', {
    summary: 'Your reruns',
    description: 'Newest first, without their reports: those that run, and the last that have ended.',
    items: { reruns: RerunSummary },
    read: async (request, { limit, after = '0' }) => {
      assertOperator(request);
      const all = reruns.list(request.owner);
      const from = Math.trunc(Number(after));
      const end = from + limit;
      return { items: all.slice(from, end), next: end < all.length ? String(end) : null };
    },
  });

  route('GET /v1/reruns/:rerun_id', 'getRerun', {
    summary: 'A rerun and its report',
    description: 'While it runs, `runs` says how far it is, and `report` is null.',
    returns: RerunView,
    handle: async (request) => {
      assertOperator(request);
      return reruns.get(request.owner, request.params.rerun_id);
    },
  });

  route('GET /v1/reruns/:rerun_id/traces/:task_id/:lane', 'getRerunTrace', {
    summary: 'The trace of one run of a rerun',
    description: 'As the task ran again, under ids of its own. It can be replayed, and compared with the recorded one.',
    schema: { response: { 200: sequenceOf('One trace entry a line', NDJSON, TaskTraceEntry) } },
    handle: async (request, reply) => {
      assertOperator(request);
      const { rerun_id, task_id, lane } = request.params;
      return reply.type(NDJSON).send(reruns.trace(request.owner, rerun_id, task_id, lane));
    },
  });

  route('DELETE /v1/reruns/:rerun_id', 'deleteRerun', {
    summary: 'Stop a rerun and forget it',
    description: 'What it has asked models is counted all the same.',
    handle: async (request) => {
      assertOperator(request);
      reruns.remove(request.owner, request.params.rerun_id);
    },
  });
};
