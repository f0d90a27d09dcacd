import { lazy } from '../design/loaded.tsx';
import { historyOf } from '../history/task-history.ts';
import { selectedCall, selectedSeq, selectedTab } from '../state/selection.ts';
import { type OpenTask, shownView } from '../task/live-task.ts';
import { Plan, workByItem } from '../task/plan.tsx';
import { TaskPane } from '../task/task-pane.tsx';
import styles from './session.module.css';
import { texts } from './texts.ts';

const MayComeNext = lazy(async () => (await import('../machine/machine-chart.tsx')).MayComeNext);
const CallPane = lazy(async () => (await import('../timeline/call-pane.tsx')).CallPane);

/** The plan as it was at the moment that one looks at. */
const PlanThen = ({ of }: { of: OpenTask }) => {
  const view = shownView(of);
  if (view === undefined || view.plan.length === 0) return null;
  return (
    <>
      <h4 class={`${styles.planThen} label`}>{texts.value.planThen}</h4>
      <Plan view={view} works={workByItem(historyOf(of))} />
    </>
  );
};

/** The call that was chosen; while one goes through the past of timeline or machine the entry there; else the plan. */
export const Inspector = (of: OpenTask) => {
  const history = historyOf(of);
  const isOfEntries = selectedTab.value === 'timeline' || selectedTab.value === 'machine';
  if (selectedCall.value !== null) return <CallPane history={history} hasService />;
  if (selectedSeq.value === null || !isOfEntries) return <TaskPane {...of} />;
  return (
    <CallPane history={history} hasService>
      <PlanThen of={of} />
      <MayComeNext history={history} />
    </CallPane>
  );
};
