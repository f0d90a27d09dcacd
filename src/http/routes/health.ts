import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, problems, textOf } from './schemas.ts';

const Status = z.object({ status: z.literal('ok') });

/** `/healthz`: the process answers; `/readyz`: turns are taken in. Open to all, and they name no session. */
export const addHealthRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  app.get(
    '/healthz',
    {
      config: { isVital: true },
      schema: {
        operationId: 'getHealth',
        summary: 'Alive',
        description: 'The process answers. Open to all.',
        tags: ['health'],
        security: [],
        response: { 200: json('It does', Status), ...problems },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'getReadiness',
        summary: 'Ready',
        description: 'Turns are taken in. Open to all.',
        tags: ['health'],
        security: [],
        response: { 200: json('They are', Status), ...problems },
      },
    },
    async () => {
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
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'getMetrics',
        summary: 'Counts',
        description: 'Of the whole service; they name no session.',
        tags: ['health'],
        response: { 200: textOf("Prometheus' text format", 'text/plain'), ...problems },
      },
    },
    async (_request, reply) => {
      const { contentType, text } = await metrics.exposition();
      return reply.type(contentType).send(text);
    },
  );
};
