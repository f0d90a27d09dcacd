import { z } from 'zod';
import { JsonSchemaView } from '../../contracts/http.ts';
import { contractSchemas } from '../../contracts/json-schema.ts';
import type { HttpApp } from './http-app.ts';
import { json, problems } from './responses.ts';

const Contracts = z.object({ plan: JsonSchemaView, thought: JsonSchemaView, replan: JsonSchemaView });

/** `GET /v1/contracts`: the JSON Schemas of all that a model may say (SPEC 5). */
export const addContractRoute = (app: HttpApp): void => {
  app.get(
    '/v1/contracts',
    {
      schema: {
        operationId: 'getContracts',
        summary: 'The three contracts',
        description: 'The JSON Schemas of all that a model may say: a plan, a thought, a replan.',
        tags: ['contracts'],
        response: { 200: json('A JSON Schema for each', Contracts), ...problems },
      },
    },
    async () => contractSchemas(),
  );
};
