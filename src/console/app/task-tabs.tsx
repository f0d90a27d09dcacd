import { Tabs } from '../design/tabs.tsx';
import { TaskPane } from '../task/task-pane.tsx';
import { lazy } from './lazy.tsx';
import { selectedTab, selectTab } from './selection.ts';
import type { TaskProps } from './task-props.ts';
import { shell } from './texts.ts';

const MachinePane = lazy(async () => (await import('../machine/machine-pane.tsx')).MachinePane);
const TimelinePane = lazy(async () => (await import('../timeline/timeline-pane.tsx')).TimelinePane);
const TaskActions = lazy(async () => (await import('../export/task-actions.tsx')).TaskActions);

/** The tab that is shown where the address names none. */
export const FIRST_TAB = 'plan';

/** The right pane: a task in tabs. */
export const TaskTabs = (of: TaskProps) => (
  <Tabs
    label={shell.value.task}
    chosen={selectedTab.value}
    onChoose={selectTab}
    tabs={[
      { name: FIRST_TAB, title: shell.value.plan, render: () => <TaskPane {...of} /> },
      { name: 'machine', title: shell.value.machine, render: () => <MachinePane {...of} /> },
      { name: 'timeline', title: shell.value.timeline, render: () => <TimelinePane {...of} /> },
    ]}
    beside={<TaskActions {...of} />}
  />
);
