import { useComputed } from '@preact/signals';
import { Badge, shownState } from '../design/badge.tsx';
import { Empty } from '../design/notice.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { Budget, itemsInVain, Plan } from '../task/plan.tsx';
import { PlanChanges } from '../task/plan-changes.tsx';
import { fileTexts } from './texts.ts';
import styles from './trace-file.module.css';

/** The plan and the budget of a trace's task at the entry that is looked at. */
export const FilePlan = ({ history }: { history: TaskHistory }) => {
  const view = useComputed(() => history.fold.value?.viewAt(history.index.value) ?? null).value;
  if (view === null) return <Empty title={fileTexts.value.noPlan} />;
  return (
    <div class={styles.plan}>
      <h2>
        <Badge state={shownState(view)} /> {view.goal}
      </h2>
      <Plan view={view} inVain={itemsInVain(history.trace)} />
      <Budget view={view} />
      <PlanChanges history={history} />
    </div>
  );
};
