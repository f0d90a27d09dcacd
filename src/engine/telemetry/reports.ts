import type { Effect } from '../../../contracts/event.ts';
import { effectId } from '../../../contracts/ids.ts';
import type { TaskContext, ToolResult } from '../../../contracts/task.ts';
import type { Task } from '../../../machines/step.ts';
import type { ToolRun } from '../../commands/port.ts';
import type { Model } from '../../models/port.ts';
import type { EffectSpan, ReportedTurn, Telemetry } from '../../telemetry/port.ts';
import type { CommitObserver, Decision } from '../change.ts';
import { keyText, type SessionImage } from '../session-image.ts';
import type { EffectResult, EffectWork } from '../session-input.ts';
import { turnsOf } from '../turn-views.ts';

type Outcome = EffectResult | EffectWork;

/** Reports the engine's work to the one who counts it. */
export interface Reports {
  /** Reports each commit. */
  readonly observer: CommitObserver;
  commitFailed: Telemetry['commitFailed'];
  callbackPosted: Telemetry['callbackPosted'];
  callbackEnded: Telemetry['callbackEnded'];
  /** Performs the effect of the session's active task, and reports when it began and what came of it. */
  effect(
    image: SessionImage,
    task_id: string,
    effect: Effect,
    model: string,
    perform: () => Promise<Outcome>,
  ): Promise<Outcome>;
  /** Calls a tool that a user tries in a turn, and reports the same of it. */
  tried(session_id: string, turn_id: string, run: ToolRun, call: () => Promise<ToolResult>): Promise<ToolResult>;
}

const unwatched: Reports = {
  observer: { name: 'telemetry', committed: () => {} },
  commitFailed: () => {},
  callbackPosted: () => {},
  callbackEnded: () => {},
  effect: (_image, _task, _effect, _model, perform) => perform(),
  tried: (_session, _turn, _run, call) => call(),
};

/** Makes the reports; without anybody who counts they cost nothing. */
export const createReports = (telemetry: Telemetry | undefined): Reports => {
  if (telemetry === undefined) return unwatched;
  /** By session: its transactional tool, which runs inside the commit of its observation. */
  const works = new Map<string, { task_id: string; effect: number; span: EffectSpan }>();

  const endWork = ({ image, steps }: Decision): void => {
    const key = keyText(image.session);
    const work = works.get(key);
    if (work === undefined) return;
    const { task_id, effect, span } = work;
    const isOurs = (task: Task | undefined): boolean => task?.context.task_id === task_id;
    const outcome = steps.find(
      ({ event, task }) => isOurs(task) && 'effect' in event && event.effect === effect,
    )?.event;
    if (outcome === undefined && isOurs(image.active?.task) && image.open?.effect === effect) return;
    works.delete(key);
    span.ended(outcome === undefined || outcome.type === 'task.opened' ? null : outcome);
  };

  return {
    observer: {
      name: 'telemetry',
      committed: function reportCommit(decision, duration_ms) {
        const { session_id } = decision.image.session;
        if (works.size > 0) endWork(decision);
        telemetry.committed({ session_id, duration_ms, steps: decision.steps, turns: reportedTurns(decision) });
      },
    },
    commitFailed: telemetry.commitFailed,
    callbackPosted: telemetry.callbackPosted,
    callbackEnded: telemetry.callbackEnded,
    effect: ({ session, turns }, task_id, effect, model, perform) => {
      const { session_id } = session;
      const turn_id = turns.find((turn) => turn.task_id === task_id)?.turn_id ?? null;
      const span = telemetry.effectStarted(effect, {
        session_id,
        task_id,
        effect_id: effectId(task_id, effect.effect),
        turn_id,
        model,
      });
      const result = span.run(perform);
      result.then(
        (outcome) => {
          if (outcome.type === 'effect_result') span.ended(outcome.event);
          else works.set(keyText(session), { task_id, effect: effect.effect, span });
        },
        () => span.ended(null),
      );
      return result;
    },
    tried: (session_id, turn_id, { tool, input }, call) => {
      const params = { tool, input, item_id: null, executor: 'default' };
      const effect: Effect = { effect: 1, type: 'tool.call', params };
      const span = telemetry.effectStarted(effect, {
        session_id,
        task_id: null,
        effect_id: turn_id,
        turn_id,
        model: '',
      });
      const result = span.run(call);
      result.then(
        (observed) => span.ended({ type: 'observation.recorded', effect: 1, tool, input, ...observed }),
        () => span.ended(null),
      );
      return result;
    },
  };
};

/** The name of the model that an effect asks; of one that asks none, the service's. */
export const askedModel = ({ name, nameFor }: Model, effect: Effect, task: TaskContext): string =>
  nameFor !== undefined && effect.type === 'model.thought'
    ? nameFor({ contract: 'thought', task, item_id: effect.params.item_id })
    : name;

const NONE: readonly ReportedTurn[] = [];

/** The turns that a decision added or finished, with the trace that each came with. Most decisions have none. */
export const reportedTurns = (decision: Decision): readonly ReportedTurn[] => {
  const turns = turnsOf(decision);
  if (turns.length === 0) return NONE;
  const callers = new Map(
    decision.changes.flatMap((change) =>
      change.type === 'turn.added' ? [[change.turn.turn_id, change.turn.traceparent] as const] : [],
    ),
  );
  return turns.map((turn) => ({ turn, traceparent: callers.get(turn.id) }));
};
