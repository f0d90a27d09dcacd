import { z } from 'zod';
import { contractSchemas } from '../../contracts/json-schema.ts';
import type { HttpApp } from './http-app.ts';
import { problems } from './responses.ts';

const JsonSchema = z.record(z.string(), z.unknown());

/** `GET /v1/contracts`: the JSON Schemas of all that a model may say (SPEC 5). */
export const addContractRoute = (app: HttpApp): void => {
  const response = { 200: z.record(z.string(), JsonSchema), ...problems };
  app.get('/v1/contracts', { schema: { summary: 'The three contracts', tags: ['contracts'], response } }, async () =>
    contractSchemas(),
  );
};
