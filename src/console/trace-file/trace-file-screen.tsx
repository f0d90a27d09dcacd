import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { setQuery } from '../app/route.ts';
import { selectSeq } from '../app/selection.ts';
import { Failure } from '../design/notice.tsx';
import { loadFoldCode } from '../history/task-history.ts';
import { FileView } from './file-view.tsx';
import { hasKeptFile, keepFile, keptFile } from './kept-file.ts';
import { readTraceFile, type TraceFile } from './read-trace-file.ts';
import { fileTexts } from './texts.ts';
import styles from './trace-file.module.css';

/** The screen's state: nothing yet, a file that is read, one that is there, or the reason why one is not. */
type Shown =
  | { type: 'nothing' }
  | { type: 'reading'; name: string; part: number }
  | { type: 'file'; file: TraceFile }
  | { type: 'refused'; name: string; error: unknown };

/** Takes files that are dropped anywhere on the page. */
const useDrop = (take: (file: File) => void) => {
  const isOver = useSignal(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      isOver.value = true;
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      isOver.value = false;
      const [file] = event.dataTransfer?.files ?? [];
      if (file !== undefined) take(file);
    };
    const listeners = { dragover: over, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name as 'drop', listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name as 'drop', listener);
    };
  }, []);
  return isOver;
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

/** A trace file that is dropped on the page, or chosen. Once the page is there, it needs no service. */
export const TraceFileScreen = () => {
  const texts = fileTexts.value;
  const shown = useSignal<Shown>({ type: 'nothing' });
  const show = async (file: File): Promise<void> => {
    const { name } = file;
    const reading = { type: 'reading', name, part: 0 } as Shown;
    shown.value = reading;
    const isNewest = (): boolean => shown.peek().type === 'reading';
    try {
      const read = await readTraceFile(file, (part) => {
        if (isNewest()) shown.value = { type: 'reading', name, part };
      });
      shown.value = { type: 'file', file: read };
      await keepFile(file);
    } catch (error) {
      shown.value = { type: 'refused', name, error };
    }
  };
  const take = (file: File): void => {
    selectSeq(null);
    setQuery({ task: null });
    void show(file);
  };
  const isOver = useDrop(take);
  useEffect(() => {
    if (!hasKeptFile()) return;
    void keptFile().then((file) => {
      if (file !== null && shown.peek().type === 'nothing') void show(file);
    });
  }, []);
  // All code is loaded with the screen, so that the service may be gone when a file comes.
  useEffect(() => void loadFoldCode(), []);
  const { value } = shown;
  return (
    <div class={`${styles.screen} ${isOver.value ? styles.over : ''}`}>
      {value.type === 'file' ? (
        <>
          <FileView key={value.file.name} file={value.file} />
          <ChooseFile label={texts.another} take={take} />
        </>
      ) : (
        <div class={styles.drop}>
          <h1>{texts.title}</h1>
          {value.type === 'refused' && <Failure title={texts.refused(value.name)} error={value.error} />}
          <p class={styles.muted}>{texts.hint}</p>
          {value.type === 'reading' && (
            <p role="status">
              <progress value={value.part} max={1} /> {texts.reading(value.name, value.part)}
            </p>
          )}
          <ChooseFile label={texts.choose} take={take} />
        </div>
      )}
    </div>
  );
};
