import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AnyOwner } from '../../../contracts/access.ts';
import { AuditLine } from '../../../contracts/audit.ts';
import type { RouteParts } from './port.ts';
import { NDJSON, routesOf, sequenceOf } from './schemas.ts';

async function* textOf(lines: AsyncIterable<AuditLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** Adds `GET /v1/audit`: what was done, for operators (docs/audit.md). Never holds a whole day in memory. */
export const addAuditRoute = (app: FastifyInstance, { audit, now }: Pick<RouteParts, 'audit' | 'now'>): void => {
  routesOf(app, 'traces', { role: 'operator' }).route('GET /v1/audit', 'getAudit', {
    summary: 'What was done, by whom and when',
    description:
      'Day by day (UTC): the day, an act a line, and its root. Texts are there as their SHA-256. `tripact audit verify` checks it.',
    query: z.strictObject({
      from: z.iso.date().optional().meta({ description: 'The first day; default: that of the first act.' }),
      to: z.iso.date().optional().meta({ description: 'The last day, included; default: today.' }),
      owner: AnyOwner.optional().meta({
        description: 'Whose acts are readable; the others are there as their hashes. Default: all.',
      }),
    }),
    schema: { response: { 200: sequenceOf('One line of the audit', NDJSON, AuditLine) } },
    handle: async ({ query }, reply) =>
      reply.type(NDJSON).send(Readable.from(textOf(audit.lines({ ...query, now: now() })), { objectMode: false })),
  });
};
