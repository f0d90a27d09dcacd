import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import type { RouteParts } from './port.ts';
import { routesOf, textOf } from './schemas.ts';

const Status = z.object({ status: z.literal('ok') });

/** `/healthz`: the process answers; `/readyz`: turns are taken in, with the tools of MCP servers, which is waited for. Open to all, and they name no session. */
export const addHealthRoutes = (
  app: FastifyInstance,
  { readiness, mcp }: Pick<RouteParts, 'readiness' | 'mcp'>,
): void => {
  // Monitors add what they like to the address.
  const open = { schema: { security: [] }, query: z.object({}), returns: Status };

  routesOf(app, 'health', { isVital: true }).route('GET /healthz', 'getHealth', {
    summary: 'Alive',
    description: 'The process answers. Open to all.',
    ...open,
    success: 'It does',
    handle: async () => ({ status: 'ok' as const }),
  });

  routesOf(app, 'health').route('GET /readyz', 'getReadiness', {
    summary: 'Ready',
    description:
      'Turns are taken in. Waits for the first attempt to connect each MCP server, 10 s at most. Open to all.',
    ...open,
    success: 'They are',
    handle: async () => {
      await mcp.tried;
      if (!(await readiness.isReady()))
        throw readiness.isStopping()
          ? new ServiceError('SHUTTING_DOWN', 'The service is stopping')
          : new ServiceError('STORAGE_UNAVAILABLE', 'The store can not be written, so nothing can be committed');
      return { status: 'ok' as const };
    },
  });
};

/** `/metrics`: counts of the whole service; they name no session. */
export const addMetricsRoute = (app: FastifyInstance, { metrics }: Pick<RouteParts, 'metrics'>): void => {
  routesOf(app, 'health', { role: 'operator' }).route('GET /metrics', 'getMetrics', {
    summary: 'Counts',
    description: 'Of the whole service; they name no session.',
    schema: { response: { 200: textOf("Prometheus' text format", 'text/plain') } },
    handle: async (_request, reply) => {
      const { contentType, text } = await metrics.exposition();
      return reply.type(contentType).send(text);
    },
  });
};
