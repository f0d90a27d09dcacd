import type { TaskView } from '../../../contracts/turn-view.ts';
import type { TaskHistory } from '../history/task-history.ts';
import { Plan, workByItem } from './plan.tsx';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** The plan as it was at the moment that one looks at, below the entry there; renders nothing if there was none yet. */
export const PlanThen = ({ view, history }: { view: TaskView | null; history: TaskHistory }) => {
  if (view === null || view.plan.length === 0) return null;
  return (
    <>
      <h4 class={`${styles.then} label`}>{texts.value.asPlanned}</h4>
      <Plan view={view} works={workByItem(history)} />
    </>
  );
};
