import type { FastifyInstance } from 'fastify';
import { FactRequest, FactView } from '../../../contracts/http.ts';
import { FACTS_MAX } from '../../../contracts/limits.ts';
import { ServiceError } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import { type Fact, factStore } from '../../tools/memory/memory.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

const factView = ({ id, text, created_at }: Fact): FactView => ({ id, text, created_at: iso(created_at) });

type Parts = Pick<RouteParts, 'ownerData' | 'now'>;

/**
 * Adds `/v1/memory…`: the facts remembered for an owner across sessions, the same as `/memory` and the tool `remember`
 * (SPEC 8).
 */
export const addMemoryRoutes = (app: FastifyInstance, { ownerData, now }: Parts): void => {
  const { route, list } = routesOf(app, 'memory');

  list('/v1/memory', 'listMemory', {
    summary: 'The facts remembered about you across sessions',
    description: 'Oldest first. A new task knows the newest ones.',
    items: { facts: FactView },
    read: async ({ owner }, { limit, after = '0' }) => {
      const facts = await ownerData.run(null, () => factStore.after(owner, Math.trunc(Number(after)), limit));
      return { items: facts.map(factView), next: facts.length < limit ? null : String(facts.at(-1)!.id) };
    },
  });

  route('POST /v1/memory', 'addToMemory', {
    summary: 'Remember a fact',
    description: 'A fact that is already remembered is returned unchanged.',
    body: FactRequest,
    status: 201,
    returns: FactView,
    handle: async ({ owner, body: { text } }) => {
      const kept = await ownerData.run(owner, () => factStore.add(owner, text, now()));
      if (kept !== null) return factView(kept.fact);
      throw new ServiceError('INVALID_REQUEST', `You have ${FACTS_MAX} facts already; delete one first`);
    },
  });

  route('DELETE /v1/memory/:fact_id', 'deleteFromMemory', {
    summary: 'Forget a fact',
    description: 'Tasks that opened with it keep it.',
    handle: async ({ owner, params: { fact_id } }) => {
      const id = /^\d{1,15}$/.test(fact_id) ? Number(fact_id) : 0;
      if (!(await ownerData.run(owner, () => factStore.remove(owner, id))))
        throw new ServiceError('FACT_NOT_FOUND', 'There is no fact with that id');
    },
  });
};
