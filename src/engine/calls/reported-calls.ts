import type { CallMade, Model, ModelReply, ModelRequest } from '../../models/port.ts';

/** A call that is to be kept, and what it was made for. */
export interface CallToKeep extends CallMade {
  /** When it was made, epoch milliseconds. */
  readonly at: number;
  readonly task_id: string;
  readonly effect_id: string;
  readonly contract: ModelRequest['contract'];
}

/**
 * The same model, with each of its calls given to `keep` once it has ended. Of a model that reports none the answer alone is known, and
 * counts as one call. It delays no answer.
 */
export const reportedCalls = (model: Model, keep: (call: Omit<CallToKeep, 'at'>) => void): Model => ({
  ...model,
  answer: async (request, signal) => {
    const { effect_id, contract, task } = request;
    const of = { task_id: task.task_id, effect_id, contract };
    let isReported = false;
    const began = performance.now();
    const keepUnreported = (name: string, reply: ModelReply | null, failure: string | null): void => {
      if (isReported) return;
      keep({ ...of, model: name, sent: null, duration_ms: performance.now() - began, reply, failure });
    };
    const onCall = (call: CallMade): void => {
      isReported = true;
      keep({ ...of, ...call });
    };
    try {
      const reply = await model.answer({ ...request, onCall }, signal);
      keepUnreported(reply.model ?? model.name, reply, null);
      return reply;
    } catch (error) {
      keepUnreported(model.name, null, signal.aborted || !(error instanceof Error) ? null : error.message);
      throw error;
    }
  },
});
