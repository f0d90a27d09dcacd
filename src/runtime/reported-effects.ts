import type { Effect } from '../../contracts/event.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { dueBy, isModelEffect } from '../../machines/model-effects.ts';
import type { ActiveTask, SessionImage } from '../session/image.ts';
import type { Outcome } from '../session/input.ts';
import type { LiveAnswers } from './live-answers.ts';
import { answerInPendingCalls } from './perform/ask-model.ts';
import type { EffectDeps, ReportCall } from './perform/effect-deps.ts';
import { performEffect } from './perform/perform-effect.ts';
import type { Reports } from './telemetry/reports.ts';

/** The model that an effect asks; for other effects, the service's. */
const askedModel = ({ name, nameFor }: EffectDeps['model'], effect: Effect, task: TaskContext): string =>
  nameFor !== undefined && isModelEffect(effect) ? nameFor({ ...dueBy(effect), task }) : name;

/**
 * Creates the function that performs the effects of sessions: each is reported, and those who watch get what a model
 * writes of an answer.
 */
export const createReportedEffects =
  (effects: EffectDeps, reports: Pick<Reports, 'effect'>, answers: Pick<LiveAnswers, 'sink'>) =>
  (image: SessionImage, effect: Effect, active: ActiveTask, signal: AbortSignal): Promise<Outcome> => {
    const { isRetryAfterCrash, begins } = active;
    const task = active.task.context;
    const perform = (reportCall: ReportCall): Promise<Outcome> =>
      performEffect(effects, effect, {
        ...image.session,
        task,
        isRetryAfterCrash,
        begins,
        answer: answers.sink(image.session, task.task_id),
        reportCall,
        signal,
      });
    // A pending call answers without a call of the model, so none is reported.
    if (answerInPendingCalls(effects, effect, task) !== null) return perform((_at, _params, call) => call());
    return reports.effect(image, task.task_id, effect, askedModel(effects.model, effect, task), perform);
  };
