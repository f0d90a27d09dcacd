import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { RecordedInput, RecordedTurn } from './recorded-run.ts';
import type { RecordedTask } from './recording.ts';

const openingInput = (opened: TaskOpened): RecordedInput => {
  const { goal, agent, confirm_plan, planning, replan, chain, tools, plan } = opened;
  const { metadata, context, answer_schema, expires_in } = opened;
  const options: Omit<RecordedTurn, 'input'> = {
    ...(agent !== undefined && { agent }),
    ...(confirm_plan !== false && { confirm_plan }),
    ...(!planning && { planning }),
    ...(replan !== undefined && { replan }),
    ...(chain !== undefined && { chain }),
    ...(tools !== undefined && { tools }),
    ...(plan !== undefined && { plan }),
    ...(metadata !== undefined && { metadata }),
    ...(context !== undefined && { context }),
    ...(answer_schema !== undefined && { answer_schema }),
    ...(expires_in !== undefined && { expires_in }),
  };
  return Object.keys(options).length === 0 ? goal : { input: goal, ...options };
};

/** The user's input that became this event; null: none, or one that was not sent after the answer to the turn before it. */
const inputIn = (event: TaskOpened | TaskEvent, next: TaskOpened | TaskEvent | undefined): RecordedInput | null => {
  switch (event.type) {
    case 'task.opened':
      return openingInput(event);
    case 'answer.received':
      return event.text;
    case 'decision.received':
      return event.decision;
    case 'task.resumed':
      // An answer to a question that had expired resumes its task first.
      return next?.type === 'answer.received' && next.turn_id === event.turn_id ? null : 'continue';
    default:
      return null;
  }
};

/**
 * The inputs of recorded tasks' user in order, each sent after the answer to the one before. Steers, cancels and
 * edits of a plan are left out.
 */
export const recordedInputs = (tasks: readonly RecordedTask[]): RecordedInput[] =>
  tasks.flatMap(({ entries }) =>
    entries.flatMap(({ entry }, i) => inputIn(entry.event, entries[i + 1]?.entry.event) ?? []),
  );
