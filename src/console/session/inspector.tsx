import { lazy } from '../design/loaded.tsx';
import { historyOf } from '../history/task-history.ts';
import { selectedCall, selectedSeq, selectedTab } from '../state/selection.ts';
import { type OpenTask, shownView } from '../task/live-task.ts';
import { PlanThen } from '../task/plan-then.tsx';
import { TaskPane } from '../task/task-pane.tsx';

const MayComeNext = lazy(async () => (await import('../machine/machine-chart.tsx')).MayComeNext);
const CallPane = lazy(async () => (await import('../timeline/call-pane.tsx')).CallPane);

/** The call that was chosen; while one goes through the past of timeline or machine the entry there; else the plan. */
export const Inspector = (of: OpenTask) => {
  const history = historyOf(of);
  const isOfEntries = selectedTab.value === 'timeline' || selectedTab.value === 'machine';
  if (selectedCall.value !== null) return <CallPane history={history} hasService />;
  if (selectedSeq.value === null || !isOfEntries) return <TaskPane {...of} />;
  return (
    <CallPane history={history} hasService>
      <PlanThen view={shownView(of) ?? null} history={history} />
      <MayComeNext history={history} />
    </CallPane>
  );
};
