import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { messages } from '../../contracts/messages/messages.ts';
import type { ToolResult } from '../../contracts/task.ts';
import type { ToolRun } from '../commands/commands.ts';
import { toolReply } from '../commands/commands.ts';
import { isStorageFault } from '../lib/errors.ts';
import type { Commit } from '../session/commit.ts';
import { type SessionImage, type SessionKey, toolTurns } from '../session/image.ts';
import { runForUser } from './perform/call-tool.ts';
import type { EffectDeps } from './perform/effect-deps.ts';
import type { PostInput } from './session-actors.ts';
import type { Reports } from './telemetry/reports.ts';

const RETRY_MS = 1_000;

interface Parts {
  effects: Pick<EffectDeps, 'tools' | 'toolTimeoutMs' | 'within' | 'now'>;
  reports: Pick<Reports, 'tried'>;
  post: PostInput;
  log: Logger;
}

/** Runs the tools that users try. A tool is called once its turn is stored, and never again after a crash. */
export const createToolRuns = ({ effects, reports, post, log }: Parts) => {
  const called = new Set<string>();
  const stopping = new AbortController();

  const resultOf = async (key: SessionKey, turnId: string, run: ToolRun): Promise<ToolResult> => {
    const { input, language, timezone, metadata } = run;
    const tool = effects.tools.get(run.tool);
    if (tool === undefined || tool.effect === 'transactional')
      return { ok: false, result: messages(language).toolCalls.unknownTool(run.tool) };
    const call = {
      owner: key.owner,
      session_id: key.session_id,
      timezone,
      language,
      now: effects.now(),
      metadata,
      // A user's own call: without a task, and with the turn's id as its effect.
      task_id: turnId,
      effect_id: turnId,
      item_id: null,
      executor: 'default',
      expected: null,
      clarifications: [],
      files: [],
      signal: stopping.signal,
    };
    const result = await reports.tried(key.session_id, turnId, run, () =>
      effects.within(key, call.signal, (workspaceOf) => runForUser({ ...effects, workspaceOf }, tool, input, call)),
    );
    return toolReply(result, language);
  };

  /** Calls the tool and stores its result, retrying while the store is at fault, which logs that itself. */
  const perform = async (key: SessionKey, turn_id: string, run: ToolRun): Promise<void> => {
    const result = await resultOf(key, turn_id, run);
    for (;;)
      try {
        stopping.signal.throwIfAborted();
        return void (await post(key, { type: 'tool_tried', turn_id, result }));
      } catch (error) {
        if (!isStorageFault(error)) throw error;
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
  };

  /** Ends the turns of tools that nobody here is known to have called. */
  const endLost = async (image: SessionImage): Promise<void> => {
    const turn_ids = toolTurns(image).flatMap(({ turn_id }) => (called.has(turn_id) ? [] : [turn_id]));
    if (turn_ids.length > 0) await post(image.session, { type: 'tool_runs_lost', turn_ids });
  };

  return {
    committed: ({ decision: { image, changes } }: Commit): void => {
      for (const change of changes) {
        if (change.type !== 'turn.added' || change.run === null) continue;
        const { turn_id } = change.turn;
        called.add(turn_id);
        perform(image.session, turn_id, change.run)
          .catch((err: unknown) => {
            if (!stopping.signal.aborted) log.error({ err, turn_id }, 'the result of a tool could not be stored');
          })
          .finally(() => called.delete(turn_id));
      }
    },
    reloaded: (_before: SessionImage, image: SessionImage): void => {
      endLost(image).catch(() => {});
    },
    endLost,
    /** Aborts running tools. The next process answers their turns: their outcome is unknown. */
    stop: (): void => stopping.abort(new Error('the service is stopping')),
  };
};
