import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import type { RouteParts } from './port.ts';
import { routesOf, textOf } from './schemas.ts';

const Status = z.object({ status: z.literal('ok') });

/**
 * `/healthz`: the process answers. `/readyz`: the service accepts turns; waits for the tools of MCP servers. Both are
 * public and name no session.
 */
export const addHealthRoutes = (
  app: FastifyInstance,
  { readiness, mcp }: Pick<RouteParts, 'readiness' | 'mcp'>,
): void => {
  // Monitoring may add anything to the query.
  const open = { schema: { security: [] }, query: z.object({}), returns: Status };

  routesOf(app, 'health', { isVital: true }).route('GET /healthz', 'getHealth', {
    summary: 'Alive',
    description: 'The process answers. Public.',
    ...open,
    success: 'The process answers',
    handle: async () => ({ status: 'ok' as const }),
  });

  routesOf(app, 'health').route('GET /readyz', 'getReadiness', {
    summary: 'Ready',
    description:
      'The service accepts turns. Waits at most 10 s for the first attempt to connect each MCP server. Public.',
    ...open,
    success: 'The service accepts turns',
    handle: async () => {
      await mcp.tried;
      if (!(await readiness.isReady()))
        throw readiness.isStopping()
          ? new ServiceError('SHUTTING_DOWN', 'The service is stopping')
          : new ServiceError('STORAGE_UNAVAILABLE', 'The store cannot be written, so nothing can be committed');
      return { status: 'ok' as const };
    },
  });
};

/** `/metrics`: counters of the whole service. They name no session. */
export const addMetricsRoute = (app: FastifyInstance, { metrics }: Pick<RouteParts, 'metrics'>): void => {
  routesOf(app, 'health', { role: 'operator' }).route('GET /metrics', 'getMetrics', {
    summary: 'Counts',
    description: 'For the whole service; they name no session.',
    schema: { response: { 200: textOf("Prometheus' text format", 'text/plain') } },
    handle: async (_request, reply) => {
      const { contentType, text } = await metrics.exposition();
      return reply.type(contentType).send(text);
    },
  });
};
