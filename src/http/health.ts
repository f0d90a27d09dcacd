import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { problems, textOf } from './responses.ts';

const Status = z.object({ status: z.literal('ok') });

/** `/healthz`: the process answers; `/readyz`: turns are taken in. Open to all, and they name no session. */
export const addHealthRoutes = (app: HttpApp, { engine }: RouteDependencies): void => {
  app.get('/healthz', { schema: { summary: 'Alive', tags: ['health'], response: { 200: Status } } }, async () => ({
    status: 'ok' as const,
  }));

  app.get(
    '/readyz',
    { schema: { summary: 'Ready', tags: ['health'], response: { 200: Status, ...problems } } },
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
      schema: {
        summary: 'Counts',
        tags: ['health'],
        response: { 200: textOf("Prometheus' text format", 'text/plain') },
      },
    },
    async (_request, reply) => {
      const { contentType, text } = await metrics.exposition();
      return reply.type(contentType).send(text);
    },
  );
};
