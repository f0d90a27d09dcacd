import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { query, setQuery } from '../app/route.ts';
import { selectedTab, selectSeq, selectTab } from '../app/selection.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { Empty } from '../design/notice.tsx';
import { Tabs } from '../design/tabs.tsx';
import { DifferenceView } from '../history/fold-progress.tsx';
import type { TaskHistory } from '../history/task-history.ts';
import { foldedHistory } from '../history/task-history.ts';
import { createTaskTrace } from '../history/task-trace.ts';
import { Machine } from '../machine/machine-pane.tsx';
import { HistorySlider } from '../scrubber/scrubber.tsx';
import { Budget, Plan, workByItem } from '../task/plan.tsx';
import { PlanChanges } from '../task/plan-changes.tsx';
import { Timeline } from '../timeline/timeline-pane.tsx';
import type { FileTask, TraceFile } from './read-trace-file.ts';
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
      <Plan view={view} works={workByItem(history.trace)} />
      <Budget view={view} />
      <PlanChanges history={history} />
    </div>
  );
};

const TaskOfFile = ({ task }: { task: FileTask }) => {
  const texts = fileTexts.value;
  const history = useMemo(() => {
    const trace = createTaskTrace();
    trace.add(task.entries);
    trace.end();
    return foldedHistory(trace, task.fold);
  }, [task]);
  return (
    <>
      <Tabs
        label={texts.tabs}
        chosen={selectedTab.value}
        onChoose={selectTab}
        tabs={[
          { name: 'plan', title: texts.plan, render: () => <FilePlan history={history} /> },
          { name: 'machine', title: texts.machine, render: () => <Machine history={history} /> },
          { name: 'timeline', title: texts.timeline, render: () => <Timeline history={history} hasService={false} /> },
        ]}
      />
      <HistorySlider history={history} />
    </>
  );
};

/** A trace file: whether it replays, and its tasks one at a time. */
export const FileView = ({ file }: { file: TraceFile }) => {
  const texts = fileTexts.value;
  const chosen = Number(query.value.get('task') ?? 0);
  const task = file.tasks[chosen];
  return (
    <>
      <header class={styles.head}>
        <h1>{file.name}</h1>
        {file.difference === null ? (
          <p class={styles.muted}>{texts.replays(file.entries)}</p>
        ) : (
          <DifferenceView difference={file.difference} />
        )}
        {file.tasks.length > 1 && (
          <label>
            {texts.task}{' '}
            <select
              value={chosen}
              onChange={({ currentTarget }) => {
                selectSeq(null);
                setQuery({ task: currentTarget.value });
              }}
            >
              {file.tasks.map(({ id, goal }, i) => (
                <option key={id} value={i}>
                  {goal}
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      {task === undefined ? (
        file.difference === null && <Empty title={texts.noTask} />
      ) : (
        <TaskOfFile key={task.id} task={task} />
      )}
    </>
  );
};
