import type { FastifyRequest } from 'fastify';
import type { TurnView } from '../../contracts/turn-view.ts';
import type { RouteDependencies } from './http-app.ts';
import { bindLog } from './request-log.ts';

/** Longest `traceparent` that is read, in characters: one of version 00 has 55, and a later one may have more. */
const TRACEPARENT_CHARS_MAX = 256;

/** The caller's place in its trace (W3C Trace Context), which the turn's spans continue. One that can't be read is as none. */
export const callerTrace = ({ headers }: Pick<FastifyRequest, 'headers'>): { traceparent?: string } => {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && traceparent.length <= TRACEPARENT_CHARS_MAX ? { traceparent } : {};
};

/** Puts the turn's ids on all later log lines of its request, with those of its trace where it is traced. */
export const bindTurn = (
  { traceOf }: Pick<RouteDependencies, 'traceOf'>,
  request: FastifyRequest,
  { id, task_id }: Pick<TurnView, 'id' | 'task_id'>,
): void => bindLog(request, { turn_id: id, ...(task_id !== null && { task_id }), ...traceOf(id) });
