import type { Effect } from '../../../contracts/effect.ts';
import type { ToolResult } from '../../../contracts/observation.ts';
import type { ToolRun } from '../../commands/port.ts';
import type { EffectSpan, Telemetry } from '../../telemetry/port.ts';
import type { Decision } from '../change.ts';
import type { SessionImage } from '../session-image.ts';
import type { EffectResult, EffectWork } from '../session-input.ts';
import { keyText } from '../session-key.ts';
import { reportedTurns } from './reported-turns.ts';

type Outcome = EffectResult | EffectWork;

/** Reports the engine's work to the one who counts it. */
export interface Reports {
  committed(decision: Decision, durationMs: number): void;
  commitFailed: Telemetry['commitFailed'];
  callbackPosted: Telemetry['callbackPosted'];
  callbackEnded: Telemetry['callbackEnded'];
  /** Performs the effect of the session's active task, and reports when it began and what came of it. */
  effect(image: SessionImage, effect: Effect, model: string, perform: () => Promise<Outcome>): Promise<Outcome>;
  /** Calls a tool that a user tries in a turn, and reports the same of it. */
  tried(session_id: string, turn_id: string, run: ToolRun, call: () => Promise<ToolResult>): Promise<ToolResult>;
}

const unwatched: Reports = {
  committed: () => {},
  commitFailed: () => {},
  callbackPosted: () => {},
  callbackEnded: () => {},
  effect: (_image, _effect, _model, perform) => perform(),
  tried: (_session, _turn, _run, call) => call(),
};

/** Makes the reports; without anybody who counts they cost nothing. */
export const createReports = (telemetry: Telemetry | undefined): Reports => {
  if (telemetry === undefined) return unwatched;
  /** By session: its transactional tool, which runs inside the commit of its observation. */
  const works = new Map<string, { effect_id: string; span: EffectSpan }>();

  const endWork = ({ image, steps }: Decision): void => {
    const key = keyText(image.session);
    const work = works.get(key);
    if (work === undefined) return;
    const { effect_id, span } = work;
    const outcome = steps.find(({ event }) => 'effect_id' in event && event.effect_id === effect_id)?.event;
    if (outcome === undefined && image.open?.effect_id === effect_id) return;
    works.delete(key);
    span.ended(outcome === undefined || outcome.type === 'task.opened' ? null : outcome);
  };

  return {
    committed: (decision, duration_ms) => {
      const { session_id } = decision.image.session;
      if (works.size > 0) endWork(decision);
      telemetry.committed({ session_id, duration_ms, steps: decision.steps, turns: reportedTurns(decision) });
    },
    commitFailed: telemetry.commitFailed,
    callbackPosted: telemetry.callbackPosted,
    callbackEnded: telemetry.callbackEnded,
    effect: ({ session, turns }, effect, model, perform) => {
      const { session_id } = session;
      const task_id = effect.effect_id.slice(0, effect.effect_id.lastIndexOf('.'));
      const turn_id = turns.find((turn) => turn.task_id === task_id)?.turn_id ?? null;
      const span = telemetry.effectStarted(effect, { session_id, task_id, turn_id, model });
      const result = span.run(perform);
      result.then(
        (outcome) => {
          if (outcome.type === 'effect_result') span.ended(outcome.event);
          else works.set(keyText(session), { effect_id: effect.effect_id, span });
        },
        () => span.ended(null),
      );
      return result;
    },
    tried: (session_id, turn_id, { tool, input }, call) => {
      const params = { tool, input, item_id: null, executor: 'default' };
      const effect: Effect = { effect_id: turn_id, type: 'tool.call', params };
      const span = telemetry.effectStarted(effect, { session_id, task_id: null, turn_id, model: '' });
      const result = span.run(call);
      result.then(
        (observed) => span.ended({ type: 'observation.recorded', effect_id: turn_id, tool, input, ...observed }),
        () => span.ended(null),
      );
      return result;
    },
  };
};
