import type { NextAction } from '../../contracts/answer.ts';
import type { EventOf, TaskEvent } from '../../contracts/event.ts';
import { isEnded, isSettled, type TaskSnapshot } from '../../contracts/task.ts';
import { pendingAction } from '../../machines/approvals.ts';
import { callKey } from './canonical.ts';
import type { RecordedTask } from './recording.ts';

/** An input of a recorded user, as its event, and when it came. */
export type UserEvent = EventOf<
  | 'answer.received'
  | 'decision.received'
  | 'steer.received'
  | 'plan.edited'
  | 'task.resumed'
  | 'task.cancelled'
  | 'question.expired'
>;

const USER_EVENTS: readonly TaskEvent['type'][] = [
  ...(['answer.received', 'decision.received', 'steer.received', 'plan.edited'] as const),
  ...(['task.resumed', 'task.cancelled', 'question.expired'] as const),
];

const isUserEvent = (event: { type: string }): event is UserEvent => USER_EVENTS.includes(event.type as never);

/** A place where the recorded task waited for its user, and what they did there: nothing, if the recording ends there. */
export interface Episode {
  readonly task: TaskSnapshot;
  readonly events: readonly UserEvent[];
}

/** An input that came while the task ran, after so many entries of it. */
export interface Interjection {
  readonly after: number;
  readonly event: UserEvent;
}

/** An episode for a task that waits, and whether its question had other words. */
export interface Found {
  readonly episode: Episode;
  readonly isReworded: boolean;
}

/** Splits what the user did into answers to a waiting task and interjections in a running one. */
const read = ({ entries }: RecordedTask) => {
  const episodes: { task: TaskSnapshot; events: UserEvent[] }[] = [];
  const interjections: Interjection[] = [];
  let isWaiting = false;
  for (const [after, { entry, after: task }] of entries.entries()) {
    const { event } = entry;
    const isUsers = isUserEvent(event);
    if (isUsers && isWaiting) episodes.at(-1)?.events.push(event);
    else if (isUsers) interjections.push({ after, event });
    const waits = isSettled(task.state) && !isEnded(task.state);
    // An edit of the plan, or a late result, leaves the question as it is.
    const isNew = waits && (!isWaiting || (isUsers && event.type !== 'plan.edited'));
    if (isNew) episodes.push({ task, events: [] });
    isWaiting = waits;
  }
  return { episodes, interjections };
};

const sameWords = (one: string | null, other: string | null): boolean =>
  (one ?? '').replaceAll(/\s+/g, ' ').trim() === (other ?? '').replaceAll(/\s+/g, ' ').trim();

/** The subject of an episode: an action by its tool and input, a question by its subject, a pause by its reason. */
const subjectOf = ({ state, context }: TaskSnapshot): string => {
  if (state === 'paused') return `paused ${context.pause_reason}`;
  const action = pendingAction(context);
  return action === null ? `question ${context.awaiting}` : `action ${callKey(action)}`;
};

/**
 * The user of a recorded task. Answers what the recorded task asked: an approval by tool and canonical input, a question by its
 * words, else by its subject in their order; and goes on where the task paused for the same reason.
 */
export const recordedUser = (recorded: RecordedTask) => {
  const { episodes, interjections } = read(recorded);
  return {
    /** The user's input at a task that waits so; null: the recording has no such question. Each is given once. */
    answerTo: (task: TaskSnapshot): Found | null => {
      const alike = episodes.filter((episode) => subjectOf(episode.task) === subjectOf(task));
      const question = task.context.last_ask_user_question;
      const same = alike.find((episode) => sameWords(episode.task.context.last_ask_user_question, question));
      const episode = same ?? alike[0];
      if (episode === undefined) return null;
      episodes.splice(episodes.indexOf(episode), 1);
      return { episode, isReworded: same === undefined && task.context.awaiting === 'thought' };
    },
    /** The user's inputs while the task ran, once it has this many entries. Each is given once. */
    interjectionAt: (entries: number): UserEvent | null => {
      const [next] = interjections;
      if (next === undefined || next.after > entries) return null;
      interjections.shift();
      return next.event;
    },
  };
};
export type RecordedUser = ReturnType<typeof recordedUser>;

/** The action that a task waits for a decision about; null: none. */
export const awaitedAction = ({ state, context }: TaskSnapshot): NextAction | null =>
  state === 'awaiting_user' ? pendingAction(context) : null;
