import { chart } from 'virtual:chart';
import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TaskProps } from '../app/task-of-session.ts';
import { FoldProgress } from '../history/fold-progress.tsx';
import { type TaskHistory, useHistory } from '../history/task-history.ts';
import { stateAt } from '../history/task-trace.ts';
import { MachineChart, type MachineTrail } from './machine-chart.tsx';

const NOTHING: MachineTrail = { state: null, counts: new Map(), latest: [] };

const trailOf = ({ trace, fold, index }: TaskHistory): MachineTrail => {
  const at = index.value;
  const folded = fold.value;
  if (at < 0) return NOTHING;
  // The states are in the trace itself, so that one need not wait for the fold to see where the task is.
  const state = stateAt(trace.entries, at);
  if (folded === null || at >= folded.folded.value) return { ...NOTHING, state };
  return { state, counts: folded.countsAt(at), latest: folded.arrowsAt(at) };
};

/** The machine, with what a history did with it up to the entry that is looked at. */
export const Machine = ({ history }: { history: TaskHistory }) => {
  useEffect(() => history.needFold(), [history]);
  const trail = useComputed(() => trailOf(history));
  return (
    <>
      <FoldProgress history={history} />
      <MachineChart chart={chart} trail={trail} />
    </>
  );
};

/** The machine with a task's state in it. */
export const MachinePane = (of: TaskProps) => <Machine history={useHistory(of)} />;
