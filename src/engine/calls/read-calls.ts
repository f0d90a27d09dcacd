import type { ModelCall, ModelCallSummary } from '../../../contracts/model-call.ts';
import { ServiceError } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Store } from '../../store/port.ts';
import type { Engine } from '../port.ts';
import { type ListedCall, readBody } from './call-store.ts';

/** Characters of one page of whole calls, beyond its first: parsing and writing more of them would hold up all others. */
const PAGE_CHARS_MAX = 2_000_000;

/** Makes the reads of kept model calls. */
export const createCallReads = (store: Pick<Store, 'task' | 'calls'>): Pick<Engine, 'modelCalls' | 'callsOfEffect'> => {
  const list = async (owner: string, task_id: string, page: { limit: number; after?: string | undefined }, of = {}) => {
    if ((await store.task(owner, task_id)) === null)
      throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
    return store.calls.list({ owner, task_id, limit: page.limit, after: page.after ?? null, ...of });
  };
  const summaryOf = ({ at, ...facts }: ListedCall) => ({ started_at: iso(at), ...facts });

  return {
    modelCalls: async (owner, taskId, page) => {
      const { items, next } = await list(owner, taskId, page);
      const calls = items.map(
        ({ cursor: _, structured_output: __, ...item }): ModelCallSummary => summaryOf(item as ListedCall),
      );
      return { items: calls, next };
    },
    callsOfEffect: async (owner, taskId, effect_id, page) => {
      const { items, next } = await list(owner, taskId, page, { effect_id });
      const calls: ModelCall[] = [];
      let chars = 0;
      let last: string | null = null;
      for (const { cursor, ...item } of items) {
        const summary = summaryOf(item);
        chars += summary.prompt_chars + summary.answer_chars;
        if (calls.length > 0 && chars > PAGE_CHARS_MAX) return { items: calls, next: last };
        last = cursor;
        const texts = await store.calls.body(cursor);
        if (texts !== null) calls.push({ ...summary, ...(await readBody(texts.body, texts.system)) });
      }
      return { items: calls, next };
    },
  };
};
