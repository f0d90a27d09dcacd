import type { Effect, TaskEvent } from '../../../contracts/event.ts';
import { effectId } from '../../../contracts/ids.ts';
import type { TaskContext, ToolResult } from '../../../contracts/task.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { Task } from '../../../machines/step.ts';
import type { ToolRun } from '../../commands/port.ts';
import type { Model } from '../../models/port.ts';
import type { EffectOutcome, EffectSpan, ReportedTurn, Telemetry } from '../../telemetry/port.ts';
import type { CommitObserver, Decision } from '../change.ts';
import { keyText, type SessionImage } from '../session-image.ts';
import type { EffectResult, EffectWork } from '../session-input.ts';

type Outcome = EffectResult | EffectWork;

/** Reports the engine's work to telemetry. */
export interface Reports {
  /** Reports each commit. */
  readonly observer: CommitObserver;
  happened: Telemetry['happened'];
  /** Performs the effect of the session's active task, and reports when it began and its outcome. */
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
  happened: () => {},
  effect: (_image, _task, _effect, _model, perform) => perform(),
  tried: (_session, _turn, _run, call) => call(),
};

/** The word for an effect's outcome; null: it was aborted. */
const outcomeOf = (event: TaskEvent | null): EffectOutcome => {
  switch (event?.type) {
    case 'plan.made':
    case 'thought.made':
    case 'replan.made':
      return 'answered';
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
      return 'rejected';
    case 'model.unavailable':
      return 'unavailable';
    case 'observation.recorded':
    case 'verification.finished':
      return event.ok ? 'ok' : 'failed';
    case 'effect.abandoned':
      return 'abandoned';
    case 'quota.exhausted':
      return 'refused';
    default:
      return 'aborted';
  }
};

const end = (span: EffectSpan, event: TaskEvent | null): void =>
  span.ended(outcomeOf(event), event !== null && 'usage' in event ? event.usage : undefined);

/** Makes the reports; without telemetry they cost nothing. */
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
    const step = steps.find(({ event, task }) => isOurs(task) && 'effect' in event && event.effect === effect);
    if (step === undefined && isOurs(image.active?.task) && image.open?.effect === effect) return;
    works.delete(key);
    end(span, step === undefined || step.event.type === 'task.opened' ? null : step.event);
  };

  return {
    observer: {
      name: 'telemetry',
      committed: function reportCommit(decision, duration_ms, turns) {
        const { session_id } = decision.image.session;
        if (works.size > 0) endWork(decision);
        telemetry.committed({ session_id, duration_ms, steps: decision.steps, turns: reportedTurns(decision, turns) });
      },
    },
    happened: telemetry.happened,
    effect: async ({ session, turns }, task_id, effect, model, perform) => {
      const turn_id = turns.find((turn) => turn.task_id === task_id)?.turn_id ?? null;
      const effect_id = effectId(task_id, effect.effect);
      const { session_id } = session;
      const span = telemetry.effectStarted(effect, { session_id, task_id, effect_id, turn_id, model });
      try {
        const outcome = await span.run(perform);
        if (outcome.type === 'effect_result') end(span, outcome.event);
        else works.set(keyText(session), { task_id, effect: effect.effect, span });
        return outcome;
      } catch (error) {
        end(span, null);
        throw error;
      }
    },
    tried: async (session_id, turn_id, { tool, input }, call) => {
      const params = { tool, input, item_id: null, executor: 'default' };
      const origin = { session_id, task_id: null, effect_id: turn_id, turn_id, model: '' };
      const span = telemetry.effectStarted({ effect: 1, type: 'tool.call', params }, origin);
      try {
        const observed = await span.run(call);
        end(span, { type: 'observation.recorded', effect: 1, tool, input, ...observed });
        return observed;
      } catch (error) {
        end(span, null);
        throw error;
      }
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
const reportedTurns = (decision: Decision, turns: readonly TurnView[]): readonly ReportedTurn[] => {
  if (turns.length === 0) return NONE;
  const callers = new Map(
    decision.changes.flatMap((change) =>
      change.type === 'turn.added' ? [[change.turn.turn_id, change.turn.traceparent] as const] : [],
    ),
  );
  return turns.map((turn) => ({ turn, traceparent: callers.get(turn.id) }));
};
