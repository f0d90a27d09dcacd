import type { PauseReason, TaskContext } from '../contracts/task.ts';
import * as loop from './changes/loop-changes.ts';
import * as plan from './changes/plan-changes.ts';
import * as rest from './changes/rest-changes.ts';
import { as } from './event-as.ts';
import type { Change, Scope } from './known-paths.ts';

/** What one action changes of a task, as a pure function of it and of the event. */
type Part = (scope: Scope) => Partial<TaskContext>;

/** One change made of several, each of which sees what the one before it left. */
const changed =
  (...parts: Part[]): Change =>
  ({ task: before, event }) => {
    let task = before;
    for (const part of parts) task = { ...task, ...part({ task, event }) };
    return task;
  };

/** What every thought that was made does, whatever it said. */
const thoughtTaken: Part = ({ task, event }) => loop.thoughtTaken(task, as('thought.made', event));

/** What the machine's actions do to a task; each is named as a fact. */
export const changes = {
  openEffect: changed(({ task }) => rest.effectOpened(task)),
  openThought: changed(({ task }) => ({
    ...rest.effectOpened(task),
    rounds: task.rounds + 1,
    iteration_count: task.iteration_count + 1,
  })),
  openHeardEffect: changed(({ task }) => ({ ...rest.effectOpened(task), steered: false })),
  acceptPlan: changed(({ task, event }) => plan.planAccepted(task, as('plan.made', event))),
  refusePlan: changed(({ task, event }) => plan.planRefused(task, as('plan.rejected', event))),
  takeGoalAsPlan: changed(({ task }) => plan.goalAsPlan(task)),
  acceptReplan: changed(({ task, event }) => plan.replanAccepted(task, as('replan.made', event))),
  countReplan: changed(({ task, event }) => plan.replanCounted(task, as('replan.made', event))),
  refuseReplan: changed(({ task, event }) => plan.replanRefused(task, as('replan.rejected', event))),
  editPlan: changed(({ task, event }) => plan.planEdited(task, as('plan.edited', event))),
  markDeadlocked: changed(({ task }) => plan.deadlocked(task)),
  requireReplan: changed(() => ({ needs_replan: true })),
  pickItem: changed(({ task }) => loop.itemPicked(task)),
  takeThought: changed(thoughtTaken),
  refuseThought: changed(({ task, event }) => loop.thoughtRefused(task, as('thought.rejected', event))),
  completeItem: changed(thoughtTaken, ({ task, event }) => loop.itemCompleted(task, as('thought.made', event))),
  blockItem: changed(thoughtTaken, ({ task, event }) => loop.itemBlocked(task, as('thought.made', event))),
  observeAction: changed(({ task, event }) => loop.actionObserved(task, as('observation.recorded', event))),
  failVerification: changed(({ task, event }) => loop.verificationFailed(task, as('verification.finished', event))),
  askThoughtsQuestion: changed(thoughtTaken, ({ task, event }) =>
    rest.asked(task, 'thought', as('thought.made', event).question ?? ''),
  ),
  askWhatToDo: changed(({ task }) => rest.askedWhatToDo(task)),
  askAboutPlan: changed(({ task }) => rest.askedAboutPlan(task)),
  takeAnswer: changed(({ task, event }) => rest.answered(task, as('answer.received', event))),
  takeAgreement: changed(({ task }) => rest.agreed(task)),
  takeSteer: changed(({ task, event }) => loop.clarified(task, as('steer.received', event).text, null)),
  noteSteered: changed(() => ({ steered: true })),
  keepResponse: changed(({ event }) => ({ pending_final_response: as('replan.made', event).response })),
  dropResponse: changed(() => ({ pending_final_response: null, needs_replan: true, steered: false })),
  finish: changed(({ task }) => ({ ...plan.leftoversDropped(task), needs_replan: false })),
  end: changed(() => ({ open_effect_id: null, pause_reason: null, pause_detail: null })),
  resume: changed(({ task }) => rest.resumed(task)),
  changeNothing: changed(() => ({})),
  stopAsking: changed(() => ({ awaiting_clarification: false, awaiting: null })),
} satisfies Record<string, Change>;

/** The change that pauses a task for a reason; it keeps everything (SPEC 6). */
export const pausedFor = (reason: PauseReason): Change => changed(({ event }) => rest.paused(reason, event));
