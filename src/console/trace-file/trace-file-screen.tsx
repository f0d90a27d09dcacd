import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useResource } from '../api/resource.ts';
import { Button } from '../design/button.tsx';
import { Boundary, Empty, Failure } from '../design/loaded.tsx';
import { DifferenceView } from '../history/fold-progress.tsx';
import { foldedHistory, loadFoldCode, type TaskHistory, viewOf } from '../history/task-history.ts';
import { Machine, MachineTools, MayComeNext } from '../machine/machine-chart.tsx';
import { HistorySlider } from '../scrubber/scrubber.tsx';
import { InspectorHead, Sheet } from '../sheet/sheet.tsx';
import { late } from '../state/late.ts';
import { query, setQuery } from '../state/route.ts';
import { selectedCall, selectedSeq, selectSeq } from '../state/selection.ts';
import { doneText } from '../task/plan.tsx';
import { PlanThen } from '../task/plan-then.tsx';
import { TaskAt } from '../task/task-pane.tsx';
import { shell } from '../text/shell.ts';
import { CallPane } from '../timeline/call-pane.tsx';
import { CallFilters, Timeline } from '../timeline/timeline-pane.tsx';
import { TracesHead } from '../traces/traces-head.tsx';
import { forgetFile, keepFile, keptFile } from './kept-file.ts';
import { type FileTask, readTraceFile, type TraceFile } from './read-trace-file.ts';
import { RecordedTasks } from './recorded-tasks.tsx';
import { fileTexts } from './texts.ts';
import styles from './trace-file.module.css';

const loadDemo = late(() => import('./demo.ts'));

/** A trace's task at the selected entry. */
const FilePlan = ({ history }: { history: TaskHistory }) => {
  const view = viewOf(history);
  return (
    <>
      <InspectorHead title={shell.value.plan} note={view === null ? undefined : doneText(view)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="scrolls" tabIndex={0} aria-label={shell.value.plan}>
        {view === null ? <Empty title={fileTexts.value.noPlan} /> : <TaskAt view={view} history={history} hasBudget />}
      </section>
    </>
  );
};

/** The entry that was chosen, or that the slider is at; else the plan. */
const FileInspector = ({ history }: { history: TaskHistory }) =>
  selectedCall.value === null && selectedSeq.value === null ? (
    <FilePlan history={history} />
  ) : (
    <CallPane history={history} hasService={false}>
      {selectedCall.value === null && <PlanThen view={viewOf(history)} history={history} />}
      <MayComeNext history={history} />
    </CallPane>
  );

const ChooseFile = ({ label, take }: { label: string; take: (file: File) => void }) => (
  <label class={styles.choose}>
    {label}
    <input
      type="file"
      class="visually-hidden"
      accept=".jsonl,.ndjson,.json,.trace,.txt,.html,.htm"
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        if (file !== undefined) take(file);
        currentTarget.value = '';
      }}
    />
  </label>
);

interface FileProps {
  file: TraceFile;
  take: (file: File) => void;
  /** Shows the recorded tasks again. */
  close: () => void;
}

/** The file's name, whether it replays, and which of its tasks is shown. */
const FileHead = ({ file, take, close, chosen }: FileProps & { chosen: number }) => (
  <header class={styles.head}>
    {/* Where there are several tasks, the choice of one has their goals. */}
    <h2 class="clipped" dir="auto">
      {file.tasks.length === 1 ? file.tasks[0]?.goal : file.name}
    </h2>
    <p class="muted small clipped">
      {file.tasks.length === 1 && file.name}
      {file.tasks.length === 1 && file.difference === null && ' · '}
      {file.difference === null && fileTexts.value.replays(file.entries)}
      {file.unchained > 0 && ` ${fileTexts.value.unchained(file.unchained)}`}
    </p>
    {file.tasks.length > 1 && (
      <select
        aria-label={shell.value.task}
        value={chosen}
        onChange={({ currentTarget }) => {
          selectSeq(null);
          setQuery({ task: currentTarget.value, call: null });
        }}
      >
        {file.tasks.map(({ id, goal }, i) => (
          <option key={id} value={i}>
            {goal}
          </option>
        ))}
      </select>
    )}
    <span class="fill" />
    <ChooseFile label={fileTexts.value.another} take={take} />
    <Button icon="close" title={fileTexts.value.close} onClick={close} />
  </header>
);

const TaskOfFile = ({ task, ...head }: FileProps & { task: FileTask; chosen: number }) => {
  const history = useMemo(() => foldedHistory(task.entries, task.fold), [task]);
  const { difference } = head.file;
  return (
    <Sheet
      head={<FileHead {...head} />}
      views={[
        {
          name: 'timeline',
          title: shell.value.timeline,
          render: () => <Timeline history={history} isLive={false} />,
          tools: () => <CallFilters history={history} />,
        },
        {
          name: 'machine',
          title: shell.value.machine,
          render: () => <Machine history={history} />,
          tools: () => <MachineTools />,
        },
      ]}
      inspector={<FileInspector history={history} />}
      strip={difference !== null && <DifferenceView difference={difference} />}
      slider={<HistorySlider history={history} isConnected={null} />}
    />
  );
};

/** A trace file: whether it replays, and its tasks one at a time. */
const FileView = ({ file, take, close }: FileProps) => {
  const chosen = Number(query.value.get('task') ?? 0);
  const task = file.tasks[chosen];
  if (task !== undefined)
    return <TaskOfFile key={task.id} task={task} file={file} take={take} close={close} chosen={chosen} />;
  return (
    <div class={styles.alone}>
      <FileHead file={file} take={take} close={close} chosen={chosen} />
      {file.difference === null ? (
        <Empty title={fileTexts.value.noTask} />
      ) : (
        <DifferenceView difference={file.difference} />
      )}
    </div>
  );
};

/** A trace file that is dropped on the page, or chosen. Once the page is loaded, it needs no service. */
export const TraceFileScreen = () => {
  const texts = fileTexts.value;
  const chosen = useSignal<File | null>(null);
  /** Whether there was a file before a reload is known. */
  const isKnown = useSignal(false);
  const part = useSignal(0);
  const isOver = useSignal(false);
  const { value: file, error } = useResource(
    async () =>
      chosen.value &&
      readTraceFile(chosen.value, (read) => {
        part.value = read;
      }),
    [chosen.value],
  ).loaded.value;
  const show = (file: File | null): void => {
    selectSeq(null);
    setQuery({ task: null, call: null });
    chosen.value = file;
  };
  const take = (file: File): void => {
    show(file);
    void keepFile(file);
  };
  const close = (): void => {
    show(null);
    void forgetFile();
  };
  useEffect(() => {
    const gone = new AbortController();
    for (const type of ['dragover', 'dragleave', 'drop'] as const)
      addEventListener(
        type,
        (event) => {
          event.preventDefault();
          isOver.value = type === 'dragover' || (type === 'dragleave' && event.relatedTarget !== null);
          const [dropped] = event.dataTransfer?.files ?? [];
          if (type === 'drop' && dropped !== undefined) take(dropped);
        },
        gone,
      );
    // Loads all code with the screen, so that the service may be gone when a file comes.
    void loadFoldCode();
    void keptFile().then((kept) => {
      chosen.value ??= kept;
      isKnown.value = true;
    });
    return () => gone.abort();
  }, []);
  return (
    <div class={`column ${styles.screen} ${isOver.value ? styles.over : ''}`}>
      {file != null ? (
        <FileView key={file.name} file={file} take={take} close={close} />
      ) : !isKnown.value ? null : (
        <div class={styles.alone}>
          <h1 class="visually-hidden">{shell.value.traces}</h1>
          <TracesHead shown="tasks">
            <Button kind="quiet" onClick={() => void loadDemo().then(({ demoFile }) => take(demoFile()))}>
              {texts.demo}
            </Button>
            <ChooseFile label={texts.choose} take={take} />
          </TracesHead>
          <div class={`padded stack ${styles.lists}`}>
            {error !== null && <Failure title={texts.refused(chosen.value?.name ?? '')} error={error} />}
            {chosen.value !== null && error === null && (
              <p role="status">
                <progress value={part.value} max={1} /> {texts.reading(chosen.value.name, Math.round(part.value * 100))}
              </p>
            )}
            <Boundary>
              <RecordedTasks>
                <p class={`small muted ${styles.drop}`}>{texts.hint}</p>
              </RecordedTasks>
            </Boundary>
          </div>
        </div>
      )}
    </div>
  );
};
