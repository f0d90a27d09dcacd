import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, operations, textOf } from './schemas.ts';

const described = operations('health');

const Status = z.object({ status: z.literal('ok') });

/** `/healthz`: the process answers; `/readyz`: turns are taken in, with the tools of MCP servers, which is waited for. Open to all, and they name no session. Monitors ask by HEAD, too. */
export const addHealthRoutes = (app: HttpApp, { engine, mcp }: RouteDependencies): void => {
  app.get(
    '/healthz',
    {
      ...operations('health', { isVital: true })('getHealth', 'Alive', {
        description: 'The process answers. Open to all.',
        security: [],
        response: { 200: json('It does', Status) },
      }),
      exposeHeadRoute: true,
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      ...described('getReadiness', 'Ready', {
        description:
          'Turns are taken in. Waits for the first attempt to connect each MCP server, 10 s at most. Open to all.',
        security: [],
        response: { 200: json('They are', Status) },
      }),
      exposeHeadRoute: true,
    },
    async () => {
      await mcp.tried;
      if (!(await engine.isReady()))
        throw new ServiceError('STORAGE_UNAVAILABLE', 'The service is stopping, or its store can not be written');
      return { status: 'ok' as const };
    },
  );
};

/** `/metrics`: counts of the whole service; they name no session. */
export const addMetricsRoute = (app: HttpApp, { metrics }: RouteDependencies): void => {
  app.get(
    '/metrics',
    operations('health', { role: 'operator' })('getMetrics', 'Counts', {
      description: 'Of the whole service; they name no session.',
      response: { 200: textOf("Prometheus' text format", 'text/plain') },
    }),
    async (_request, reply) => {
      const { contentType, text } = await metrics.exposition();
      return reply.type(contentType).send(text);
    },
  );
};
