import type { TaskEvent } from '../../../contracts/event.ts';
import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { type EffectContext, type EffectDeps, messageOf } from './effect-deps.ts';

/** Runs the verifiers one after the other, up to the first that fails (SPEC 3). Rejects only when `signal` aborts. */
export const runVerifiers = async (deps: EffectDeps, effect: number, context: EffectContext): Promise<TaskEvent> => {
  const { owner, session_id, task, signal } = context;
  const finished = (ok: boolean, output: string): TaskEvent => ({
    type: 'verification.finished',
    effect,
    ok,
    output: structuredClone(cutText(output, OBSERVATION_CHARS_MAX)),
  });
  const outputs: string[] = [];
  try {
    const workspace = deps.workspaceOf(owner, session_id);
    for (const verifier of deps.verifiers) {
      const { ok, output } = await verifier({
        session_id,
        task_id: task.task_id,
        workspace,
        language: task.language,
        signal,
      });
      outputs.push(output);
      if (!ok) return finished(false, output);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return finished(false, messages(task.language).toolCalls.verifierFailed(messageOf(error)));
  }
  return finished(true, outputs.join('\n'));
};
