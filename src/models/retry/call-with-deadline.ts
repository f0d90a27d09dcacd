import { messages } from '../../../contracts/messages/messages.ts';
import { askingOwner } from '../../event-loop/asking-owner.ts';
import { createCrowdSlices } from '../../event-loop/loop-slices.ts';
import type { ModelReply, ModelRequest, SentCall } from '../port.ts';
import type { CallForm, Provider } from './provider.ts';
import { tooSlow, type Verdict } from './verdict.ts';

interface Deadline {
  signal: AbortSignal;
  /** What is left of `timeoutMs` after earlier tries, in milliseconds. */
  timeLeft: number;
  timeoutMs: number;
}

/** Calls of all models that are handed on in one turn of the event loop as they end: to read a reply and commit it takes half a millisecond. */
const inSlices = createCrowdSlices(32);

/** One call: a reply, or what to do about its failure. It is reported to the request's `onCall` however it ends. Throws when the caller's signal aborts. */
export const callWithDeadline = async (
  { name: model, provider }: { name: string; provider: Provider },
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
  let sent: SentCall | null = null;
  const began = performance.now();
  const report = (reply: ModelReply | null, failure: string | null): void =>
    request.onCall?.({ model, sent, duration_ms: performance.now() - began, reply, failure });
  try {
    const reply = await provider.call(request, form, ending.signal, (call) => {
      sent = call;
    });
    await new Promise<void>((goOn) => inSlices(goOn, askingOwner.getStore()));
    report(reply, null);
    return reply;
  } catch (error) {
    if (signal.aborted) report(null, null);
    signal.throwIfAborted();
    const verdict = isLate ? tooSlow(timeoutMs, provider.endpoint) : provider.classify(error);
    report(null, verdict.reason(messages(request.task.language).models));
    return verdict;
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', end);
  }
};
