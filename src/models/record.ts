import type { CallMade, Model, ModelReply, RecordedCall } from './port.ts';

/** The same model, with each of its calls given to `record` once it has ended; of a model that reports none the answer counts as one call. */
export const recording = (model: Model, record: (call: RecordedCall) => void): Model => ({
  ...model,
  answer: async (request, signal) => {
    const { effect_id, contract, task } = request;
    const of = { task_id: task.task_id, effect_id, contract };
    let isReported = false;
    const onCall = (call: CallMade): void => {
      isReported = true;
      record({ ...of, ...call });
    };
    const began = performance.now();
    const unreported = (name: string, reply: ModelReply | null, failure: string | null): void => {
      const duration_ms = performance.now() - began;
      if (!isReported) onCall({ model: name, sent: null, duration_ms, reply, failure });
    };
    try {
      const reply = await model.answer({ ...request, onCall }, signal);
      unreported(reply.model ?? model.name, reply, null);
      return reply;
    } catch (error) {
      unreported(model.name, null, signal.aborted || !(error instanceof Error) ? null : error.message);
      throw error;
    }
  },
});
