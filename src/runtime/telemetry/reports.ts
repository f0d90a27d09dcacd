import type { Effect, TaskEvent, TaskEventType, TaskOpened } from '../../../contracts/event.ts';
import { effectId } from '../../../contracts/ids.ts';
import type { ToolResult } from '../../../contracts/task.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { ToolRun } from '../../commands/commands.ts';
import { isStorageFault } from '../../lib/errors.ts';
import type { Decision } from '../../session/change.ts';
import type { Commit } from '../../session/commit.ts';
import { keyText, type SessionImage } from '../../session/image.ts';
import type { Outcome } from '../../session/input.ts';
import type { EffectOutcome, EffectSpan, EffectTold, ReportedTurn, Telemetry } from '../../telemetry/port.ts';
import type { ReportCall } from '../perform/effect-deps.ts';

/** An agent by its name, where it has one. */
const named = (agent: string | null) => (agent === null ? {} : { agent });

export type Reports = ReturnType<typeof createReports>;

const unwatched: Telemetry = {
  committed: () => {},
  happened: () => {},
  effectStarted: () => ({ run: (perform) => perform(), ended: () => {} }),
};

/** The outcomes in one word. Without an event the effect was aborted. */
const OUTCOMES: Partial<Record<TaskEventType, EffectOutcome>> = {
  'plan.made': 'answered',
  'thought.made': 'answered',
  'replan.made': 'answered',
  'plan.rejected': 'rejected',
  'thought.rejected': 'rejected',
  'replan.rejected': 'rejected',
  'model.unavailable': 'unavailable',
  'effect.abandoned': 'abandoned',
  'quota.exhausted': 'refused',
};

const outcomeOf = (event?: TaskEvent | TaskOpened): EffectOutcome => {
  if (event === undefined || event.type === 'task.opened') return 'aborted';
  return 'ok' in event ? (event.ok ? 'ok' : 'failed') : (OUTCOMES[event.type] ?? 'aborted');
};

const toldBy = (event?: TaskEvent | TaskOpened): EffectTold => {
  if (event?.type === 'thought.made') return { verdict: event.approval?.verdict };
  return event?.type === 'observation.recorded' ? { result: event.result } : {};
};

const end = (span: EffectSpan, event?: TaskEvent | TaskOpened): void =>
  span.ended(outcomeOf(event), event !== undefined && 'usage' in event ? event.usage : undefined, toldBy(event));

/** Performs within a span, which ends by itself on failure. */
const inSpan = async <Result>(
  span: EffectSpan,
  perform: () => Promise<Result>,
  ended: (result: Result) => void,
): Promise<Result> => {
  try {
    const result = await span.run(perform);
    ended(result);
    return result;
  } catch (error) {
    end(span);
    throw error;
  }
};

export const createReports = (telemetry: Telemetry = unwatched) => {
  /** By session: its transactional tool, which runs inside the commit of its observation. */
  const works = new Map<string, { effect: number; span: EffectSpan }>();

  const endWork = ({ image, transitions }: Decision): void => {
    const key = keyText(image.session);
    const work = works.get(key);
    if (work === undefined) return;
    const events = transitions.map(({ event }) => event);
    const outcome = events.find((event) => 'effect' in event && event.effect === work.effect);
    if (outcome === undefined && image.open?.effect === work.effect) return;
    works.delete(key);
    end(work.span, outcome);
  };

  return {
    committed: ({ decision, turns, durationMs }: Commit): void => {
      const { session_id, agent } = decision.image.session;
      if (works.size > 0) endWork(decision);
      telemetry.committed({
        session_id,
        ...named(agent),
        duration_ms: durationMs,
        steps: decision.transitions,
        turns: reportedTurns(decision, turns),
      });
    },
    notCommitted: (error: unknown): void => {
      if (isStorageFault(error)) telemetry.happened({ type: 'commit_failed' });
    },
    happened: telemetry.happened,
    /**
     * Performs the effect of the session's active task, and reports its start and outcome, separately for each of
     * several simultaneous calls.
     */
    effect: (
      { session, turns }: SessionImage,
      task_id: string,
      effect: Effect,
      model: string,
      perform: (reportCall: ReportCall) => Promise<Outcome>,
    ): Promise<Outcome> => {
      const { session_id, agent } = session;
      const turn_id = turns.find((turn) => turn.task_id === task_id)?.turn_id ?? null;
      const origin = {
        session_id,
        task_id,
        effect_id: effectId(task_id, effect.effect),
        turn_id,
        model,
        ...named(agent),
      };
      const reportCall: ReportCall = (at, params, call) => {
        const effect_id = effectId(task_id, effect.effect, at);
        const own = { effect: effect.effect, type: 'tool.call', params } as const;
        const span = telemetry.effectStarted(own, { ...origin, effect_id });
        return inSpan(span, call, ({ ok, result }) => span.ended(ok ? 'ok' : 'failed', undefined, { result }));
      };
      // Each of its calls is reported separately.
      if (effect.type === 'tool.batch') return perform(reportCall);
      const span = telemetry.effectStarted(effect, origin);
      return inSpan(
        span,
        () => perform(reportCall),
        (outcome) => {
          if (outcome.type === 'effect_work') works.set(keyText(session), { effect: effect.effect, span });
          else end(span, outcome);
        },
      );
    },
    /** Calls a tool that a user tries in a turn, and reports it in the same way. */
    tried: (
      session_id: string,
      turn_id: string,
      { tool, input }: ToolRun,
      call: () => Promise<ToolResult>,
    ): Promise<ToolResult> => {
      const params = { tool, input, item_id: null, executor: 'default' };
      const origin = { session_id, task_id: null, effect_id: turn_id, turn_id, model: '' };
      const span = telemetry.effectStarted({ effect: 1, type: 'tool.call', params }, origin);
      return inSpan(span, call, ({ ok, result }) => span.ended(ok ? 'ok' : 'failed', undefined, { result }));
    },
  };
};

/** The turns that a decision added or finished, with the trace that each came with. Most decisions have none. */
const reportedTurns = ({ changes, image }: Decision, turns: readonly TurnView[]): readonly ReportedTurn[] =>
  turns.map((turn) => {
    const added = changes.find((change) => change.type === 'turn.added' && change.turn.turn_id === turn.id);
    const traceparent = added?.type === 'turn.added' ? added.sent.traceparent : undefined;
    return { turn, traceparent, ...named(image.session.agent) };
  });
