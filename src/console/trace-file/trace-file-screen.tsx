import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { useResource } from '../api/resource.ts';
import { Boundary, Empty, Failure } from '../design/loaded.tsx';
import { Tabs } from '../design/tabs.tsx';
import { DifferenceView } from '../history/fold-progress.tsx';
import { foldedHistory, loadFoldCode, type TaskHistory, viewOf } from '../history/task-history.ts';
import { Machine } from '../machine/machine-chart.tsx';
import { HistorySlider } from '../scrubber/scrubber.tsx';
import { query, setQuery } from '../state/route.ts';
import { selectedTab, selectSeq, selectTab } from '../state/selection.ts';
import { TaskAt } from '../task/task-pane.tsx';
import { shell } from '../text/shell.ts';
import { Timeline } from '../timeline/timeline-pane.tsx';
import { keepFile, keptFile } from './kept-file.ts';
import { type FileTask, readTraceFile, type TraceFile } from './read-trace-file.ts';
import { fileTexts } from './texts.ts';
import styles from './trace-file.module.css';

/** A trace's task at the selected entry. */
const FilePlan = ({ history }: { history: TaskHistory }) => {
  const view = viewOf(history);
  return view === null ? <Empty title={fileTexts.value.noPlan} /> : <TaskAt view={view} history={history} />;
};

const TaskOfFile = ({ task }: { task: FileTask }) => {
  const texts = fileTexts.value;
  const history = useMemo(() => foldedHistory(task.entries, task.fold), [task]);
  return (
    <>
      <Tabs
        label={texts.tabs}
        chosen={selectedTab.value}
        onChoose={selectTab}
        tabs={[
          { name: 'plan', title: shell.value.plan, render: () => <FilePlan history={history} /> },
          { name: 'machine', title: shell.value.machine, render: () => <Machine history={history} /> },
          {
            name: 'timeline',
            title: shell.value.timeline,
            render: () => <Timeline history={history} hasService={false} />,
          },
        ]}
      />
      <Boundary>
        <HistorySlider history={history} />
      </Boundary>
    </>
  );
};

/** A trace file: whether it replays, and its tasks one at a time. */
const FileView = ({ file }: { file: TraceFile }) => {
  const texts = fileTexts.value;
  const chosen = Number(query.value.get('task') ?? 0);
  const task = file.tasks[chosen];
  return (
    <>
      <header class={`line ${styles.head}`}>
        <h1>{file.name}</h1>
        {file.difference === null ? (
          <p class="muted">{texts.replays(file.entries)}</p>
        ) : (
          <DifferenceView difference={file.difference} />
        )}
        {file.tasks.length > 1 && (
          <label>
            {shell.value.task}{' '}
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

/** A trace file that is dropped on the page, or chosen. Once the page is loaded, it needs no service. */
export const TraceFileScreen = () => {
  const texts = fileTexts.value;
  const chosen = useSignal<File | null>(null);
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
  const take = (file: File): void => {
    selectSeq(null);
    setQuery({ task: null });
    chosen.value = file;
    void keepFile(file);
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
    });
    return () => gone.abort();
  }, []);
  return (
    <div class={`column ${styles.screen} ${isOver.value ? styles.over : ''}`}>
      {file != null ? (
        <>
          <FileView key={file.name} file={file} />
          <ChooseFile label={texts.another} take={take} />
        </>
      ) : (
        <div class={`stack ${styles.drop}`}>
          <h1>{texts.title}</h1>
          {error !== null && <Failure title={texts.refused(chosen.value?.name ?? '')} error={error} />}
          <p class="muted">{texts.hint}</p>
          {chosen.value !== null && error === null && (
            <p role="status">
              <progress value={part.value} max={1} /> {texts.reading(chosen.value.name, Math.round(part.value * 100))}
            </p>
          )}
          <ChooseFile label={texts.choose} take={take} />
        </div>
      )}
    </div>
  );
};
