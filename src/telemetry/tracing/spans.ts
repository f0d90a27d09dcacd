import type { Span, Tracer } from '@opentelemetry/api';
import { runInTrace } from '../../lib/log.ts';
import type { ReportedTurn, Telemetry, TracedCall, TracedService } from '../port.ts';
import { createApprovalWaits } from './approval-waits.ts';
import { callContent, type Mask } from './content.ts';
import { startEffectSpan } from './effect-spans.ts';
import { TurnSpans } from './turn-spans.ts';

/** The service whose turns the spans show. */
type SpannedService = Omit<TracedService, 'log' | 'mask'>;

/**
 * Creates the spans of this process's unfinished turns and of their effects, by the GenAI conventions. They contain no
 * text of a prompt or tool, unless `mask` is given, which removes secrets from these.
 */
export const createSpans = (tracer: Tracer, { model, version, voice }: SpannedService, mask: Mask | null = null) => {
  const turnSpans = new TurnSpans(tracer, { model, version });
  const waits = createApprovalWaits(Date.now);
  /** Model calls in progress, by effect id. */
  const calls = new Map<string, Span>();

  const report = (turn: ReportedTurn): void => {
    waits.noted(turn.turn);
    turnSpans.report(turn);
  };

  const telemetry: Telemetry = {
    committed: ({ steps, turns }) => {
      // A turn that finishes in this commit may work on its task in the same commit.
      for (const turn of turns) if (turn.turn.finished_at === null) report(turn);
      for (const step of steps) {
        const { event, task } = step;
        const decided = waits.decided(step);
        const span = 'turn_id' in event && event.turn_id !== null ? turnSpans.of(event.turn_id) : undefined;
        if (span !== undefined) turnSpans.keepIds(task.context.task_id, span);
        if (decided !== null) span?.setAttributes(decided);
      }
      for (const turn of turns) if (turn.turn.finished_at !== null) report(turn);
    },
    happened: () => {},
    effectStarted: (effect, origin) => {
      const shown = { isByText: voice?.() === 'text', mask };
      const started = startEffectSpan(tracer, effect, origin, turnSpans.contextOf(origin), shown);
      const { traceId: trace_id, spanId: span_id } = started.own.spanContext();
      if (mask !== null) calls.set(origin.effect_id, started.own);
      return {
        run: (perform) => runInTrace({ trace_id, span_id }, perform),
        ended: (outcome, usage, told = {}) => {
          calls.delete(origin.effect_id);
          if (usage !== undefined) turnSpans.used(origin.turn_id, usage);
          started.end(outcome, usage, told, shown);
        },
      };
    },
  };

  return {
    telemetry,
    /** Puts the texts of a model call on its span. Of several attempts the last one stays. */
    called: (call: TracedCall): void => {
      if (mask !== null) calls.get(call.effect_id)?.setAttributes(callContent(call, mask));
    },
    idsOf: (turnOrTaskId: string) => turnSpans.idsOf(turnOrTaskId),
    endAll: () => turnSpans.endAll(),
  };
};
