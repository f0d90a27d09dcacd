import { AsyncLocalStorage } from 'node:async_hooks';
import { messages } from '../../../contracts/messages/messages.ts';
import { ToolResult } from '../../../contracts/observation.ts';
import type { OutsideTool, TaskToolCall } from '../../tools/port.ts';
import { messageOf } from './effect-deps.ts';

/** Runs a tool within its time limit; whatever it does, throws or fails to do is a result. Rejects only when the call's signal aborts. */
export const runOutside = async (
  tool: OutsideTool,
  input: string,
  call: Omit<TaskToolCall, 'workspace'>,
  workspaceOf: () => string,
  timeoutMs: number,
): Promise<ToolResult> => {
  // Only the deadline ends the wait: what an aborted tool still gives back is written down as a late result (SPEC 6).
  let controller: AbortController | null = null;
  // As the tool's own work, for a listener of it that throws would else be taken for a fault of the service.
  let abort: ((reason: unknown) => void) | null = null;
  const stop = (): void => abort?.(call.signal.reason);
  let deadline: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => {
      isLate = true;
      const reason = new DOMException('the time limit is over', 'TimeoutError');
      abort?.(reason);
      reject(reason);
    }, timeoutMs);
  });
  const signalOfOwn = (): AbortSignal => {
    if (controller !== null) return controller.signal;
    const own = new AbortController();
    controller = own;
    abort = AsyncLocalStorage.bind((reason: unknown) => own.abort(reason));
    if (isLate) own.abort(new DOMException('the time limit is over', 'TimeoutError'));
    else if (call.signal.aborted) stop();
    else call.signal.addEventListener('abort', stop, { once: true });
    return own.signal;
  };
  try {
    const own: TaskToolCall = {
      ...call,
      // Most tools need no folder and no signal, so they are looked for and made when one asks.
      get workspace() {
        return workspaceOf();
      },
      get signal() {
        return signalOfOwn();
      },
    };
    const result = await Promise.race([tool.run(input, own), late]);
    return ToolResult.parse(result);
  } catch (error) {
    if (call.signal.aborted) throw error;
    if (!isLate) return { ok: false, result: messageOf(error) };
    const { timedOut, mayHaveRun } = messages(call.language).toolCalls;
    const text = timedOut(tool.name, timeoutMs);
    return { ok: false, result: tool.effect === 'at_most_once' ? mayHaveRun(text) : text };
  } finally {
    clearTimeout(deadline);
    call.signal.removeEventListener('abort', stop);
  }
};
