import { type Model, ModelUnavailable } from './port.ts';

/** The first model, and another one that answers where it brought no answer after its retries (SPEC 9). The reply names the one that answered. */
export const withFallback = (first: Model, fallback: Model, warn: (reason: string) => void): Model => ({
  ...first,
  answer: async (request, signal) => {
    try {
      return await first.answer(request, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelUnavailable)) throw error;
      warn(error.message);
      const reply = await fallback.answer(request, signal).catch((second: unknown) => {
        if (signal.aborted || !(second instanceof ModelUnavailable)) throw second;
        throw new ModelUnavailable(`${error.message} The fallback: ${second.message}`);
      });
      return { ...reply, model: reply.model ?? fallback.name };
    }
  },
});
