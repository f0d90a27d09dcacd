import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TurnStatus, TurnView } from '../../../contracts/turn-view.ts';
import type { Log } from '../../lib/log.ts';
import type { TraceOf } from '../../telemetry/port.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The status of the request's turn as in the reply; null without a turn. */
    turnStatus: TurnStatus | null;
  }
}

/** The format of a caller's request id that is safe to keep. Others are replaced. */
const safeRequestId = /^[A-Za-z0-9._-]{1,64}$/;

/** The request's id: the caller's if it is safe, else a new one. */
export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && safeRequestId.test(given) ? given : randomUUID();
};

/**
 * Adds ids to all later log lines of the request and its reply. The logger is the request's own, so it needs no child
 * logger.
 */
export const bindLog = ({ log }: Pick<FastifyRequest, 'log'>, ids: Record<string, string>): void =>
  (log as Log).setBindings(ids);

/** An id in the path that goes on the request's log lines. Malformed ids are never logged. */
const PATH_ID = /^(?:session_id=[\w-]{1,64}|(task|turn)_id=\1_[0-9a-z]{1,40})$/;

const pathIds = (params: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(params ?? {}).filter(([name, id]) => PATH_ID.test(`${name}=${id}`)));

/** Routes that monitoring calls every few seconds. */
const PROBES = ['/healthz', '/readyz', '/metrics'];

const logEnd = (request: FastifyRequest, reply: FastifyReply): void => {
  const route = request.routeOptions.url;
  const line = {
    method: request.method,
    route: route ?? null,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
    ...(request.turnStatus !== null && { turn_status: request.turnStatus }),
    ...(!reply.raw.writableFinished && { cut_off: true }),
  };
  request.log[PROBES.includes(route ?? '') ? 'debug' : 'info'](line, 'request ended');
};

/** Logs one line a request, when it ends. Never logs a query, a header or a body. */
export const logRequests = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const ids = pathIds(request.params);
    if (Object.keys(ids).length > 0) bindLog(request, ids);
    // `onResponse` does not fire for callers who disconnect.
    reply.raw.once('close', () => logEnd(request, reply));
    done();
  });
};

/** The caller's trace context (W3C Trace Context), which the turn's spans continue. Ignores a malformed one. */
export const callerTrace = ({ headers }: Pick<FastifyRequest, 'headers'>): { traceparent?: string } => {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? { traceparent } : {};
};

/** Adds the turn's ids to all later log lines of its request, and its trace's where it is traced. */
export const bindTurn = (
  { traceOf }: { traceOf: TraceOf },
  request: Pick<FastifyRequest, 'log' | 'turnStatus'>,
  { id, task_id, status }: Pick<TurnView, 'id' | 'task_id' | 'status'>,
): void => {
  request.turnStatus = status;
  bindLog(request, { turn_id: id, ...(task_id !== null && { task_id }), ...traceOf(id) });
};
