import type { ModelReply, ModelRequest } from '../port.ts';
import type { CallForm, Provider } from './retrying-model.ts';
import { tooSlow, type Verdict } from './verdict.ts';

interface Deadline {
  signal: AbortSignal;
  /** What is left of `timeoutMs` after earlier tries, in milliseconds. */
  timeLeft: number;
  timeoutMs: number;
}

/** One call: a reply, or what to do about its failure. Throws when the caller's signal aborts. */
export const callWithDeadline = async (
  provider: Provider,
  request: ModelRequest,
  form: CallForm,
  { signal, timeLeft, timeoutMs }: Deadline,
): Promise<ModelReply | Verdict> => {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  let isLate = false;
  const deadline = setTimeout(
    () => {
      isLate = true;
      end();
    },
    Math.max(1, Math.ceil(timeLeft)),
  );
  signal.addEventListener('abort', end, { once: true });
  try {
    return await provider.call(request, form, ending.signal);
  } catch (error) {
    signal.throwIfAborted();
    return isLate ? tooSlow(timeoutMs, provider.endpoint) : provider.classify(error);
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', end);
  }
};
