import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { feedOf } from '../api/session-feed.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import { Button } from '../design/button.tsx';
import type { IconName } from '../design/icon.tsx';
import { historyOf, type TaskHistory } from '../history/task-history.ts';
import { openFork, selectedSeq, selectSeq } from '../state/selection.ts';
import { eventTitle } from '../text/event-titles.ts';
import { defineTexts } from '../text/language.ts';
import { formatClock } from '../text/numbers.ts';
import { type Mark, type MarkKind, marksOf, thinned } from './marks.ts';
import styles from './scrubber.module.css';

/** Texts of the scrubber. */
const scrubberTexts = defineTexts({
  history: ['History of the task', '任务的历史'],
  play: ['Play the history', '播放历史'],
  stop: ['Stop playing', '停止播放'],
  previous: ['To the previous mark', '到上一个标记'],
  next: ['To the next mark', '到下一个标记'],
  live: ['Live', '实时'],
  lostShort: ['Not connected', '未连接'],
  lost: ['No connection: new entries do not arrive', '连接已断开：新内容不会到达'],
  past: ['An earlier moment', '较早的时刻'],
  leftOut: [
    (count: number) => (count === 1 ? '1 later entry left out' : `${count} later entries left out`),
    (count: number) => `之后的 ${count} 条未显示`,
  ],
  toNow: ['Back to now', '回到现在'],
  forkHere: ['Fork from here', '从这里分叉'],
  place: ['{0}, entry {1}', '{0}，记录 {1}'],
  question: ['question', '提问'],
  replan: ['replan', '重新规划'],
  failure: ['failure', '失败'],
  pause: ['pause', '暂停'],
  end: ['end', '结束'],
});

/** How long an entry is shown during playback, in milliseconds. */
const PLAY_MS = 500;

/** Most entries shown during playback: a long history plays in a minute. */
const PLAY_STEPS_MAX = 120;

/** Most marks that are drawn. */
const MARKS_MAX = 240;

/** The names of the marks' colors. */
const colours: Record<MarkKind, string> = {
  question: 'waiting-line',
  replan: 'muted',
  failure: 'failed-line',
  pause: 'waiting-line',
  end: 'done',
};

const Marks = ({ marks, count }: { marks: readonly Mark[]; count: number }) => (
  <svg class={styles.marks} viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
    {thinned(marks, count, MARKS_MAX).map(({ index, kind }) => {
      const x = count < 2 ? 0 : (index / (count - 1)) * 1_000;
      return <line key={index} stroke={`var(--${colours[kind]})`} data-mark={kind} x1={x} x2={x} y1={0} y2={10} />;
    })}
  </svg>
);

/** The entry's time of day. */
const timeOf = (entry: TraceEntry): string => formatClock(Date.parse(entry.at));

/** The bar's text about the past, and both ways on from there. */
const PastPlace = ({ history, fork }: { history: TaskHistory; fork: ((seq: number) => void) | undefined }) => {
  const texts = scrubberTexts.value;
  const later = history.count.value - 1 - history.index.value;
  const entry = history.entries[history.index.value];
  return (
    <>
      <span class={`${styles.leftOut} small`} role="status">
        {later > 0 && texts.leftOut(later)}
      </span>
      {fork !== undefined && entry !== undefined && (
        <Button icon="fork" kind="normal" onClick={() => fork(entry.seq)}>
          {texts.forkHere}
        </Button>
      )}
      <Button kind="primary" onClick={() => selectSeq(null)}>
        {texts.toNow} <kbd>Esc</kbd>
      </Button>
    </>
  );
};

interface SliderProps {
  history: TaskHistory;
  /** Whether new entries arrive; null: none will come. */
  isConnected: boolean | null;
  /** Forks the task at an entry; absent: it cannot be forked. */
  fork?: (seq: number) => void;
}

/** The slider over a history. Chart, plan, chat, figures and timeline show the entry that it selects. */
export const HistorySlider = ({ history, isConnected, fork }: SliderProps) => {
  const texts = scrubberTexts.value;
  const { entries } = history;
  const count = history.count.value;
  const index = history.index.value;
  const marks = useMemo(() => marksOf(entries), [entries, count]);
  const isLive = selectedSeq.value === null;
  const isPlaying = useSignal(false);
  const show = (next: number): void => selectSeq(entries[Math.min(next, entries.length - 1)]?.seq ?? null);
  const select = (next: number | undefined): void => {
    isPlaying.value = false;
    if (next !== undefined) show(next);
  };
  // From the selected entry to the newest.
  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setInterval(() => {
      const next = history.index.peek() + Math.max(1, Math.ceil(entries.length / PLAY_STEPS_MAX));
      show(next);
      if (next >= entries.length - 1) isPlaying.value = false;
    }, PLAY_MS);
    return () => clearInterval(timer);
  }, [isPlaying.value]);
  useEffect(() => {
    if (isLive) isPlaying.value = false;
  }, [isLive]);
  const play = (): void => {
    if (!isPlaying.value && index >= count - 1) show(0);
    isPlaying.value = !isPlaying.value;
  };
  const entry = entries[index];
  const mark = marks.find((one) => one.index === index);
  // Unchanged while the trace is: moving the slider does not redraw them.
  const drawnMarks = useMemo(() => <Marks marks={marks} count={count} />, [marks, count]);
  const place = entry === undefined ? '' : texts.place(timeOf(entry), entry.seq);
  const words = [place, entry && eventTitle(entry.event), mark && mark.kind !== 'replan' && texts[mark.kind]]
    .filter(Boolean)
    .join(' · ');
  const tool = (icon: IconName, label: string, onClick: () => void) => (
    <Button icon={icon} title={label} disabled={count < 2} onClick={onClick} />
  );
  return (
    <section class={styles.scrubber} data-past={!isLive} aria-label={isLive ? texts.history : texts.past}>
      <span class={styles.play}>
        {tool(isPlaying.value ? 'pause' : 'play', isPlaying.value ? texts.stop : texts.play, play)}
        {tool('previous', texts.previous, () => select(marks.findLast((one) => one.index < index)?.index))}
        {tool('next', texts.next, () => select(marks.find((one) => one.index > index)?.index))}
      </span>
      {!isLive && entry !== undefined && (
        <strong class={styles.now} title={words}>
          {timeOf(entry)}
        </strong>
      )}
      <div class={styles.track} style={{ '--at': `${count < 2 ? 100 : (100 * index) / (count - 1)}%` }}>
        {drawnMarks}
        <input
          type="range"
          class={styles.slider}
          min={0}
          max={Math.max(0, count - 1)}
          value={Math.max(0, index)}
          disabled={count === 0}
          aria-label={texts.history}
          aria-valuetext={words}
          onInput={({ currentTarget }) => select(Number(currentTarget.value))}
        />
      </div>
      {isLive ? (
        <>
          <output class={`${styles.place} small number`} title={words}>
            {place}
          </output>
          {isConnected !== null && (
            <span class={`${styles.live} small`} data-lost={!isConnected} title={isConnected ? undefined : texts.lost}>
              {isConnected ? texts.live : texts.lostShort}
            </span>
          )}
        </>
      ) : (
        <PastPlace history={history} fork={fork} />
      )}
    </section>
  );
};

/** The slider over a task's history. */
export const Scrubber = (of: TaskProps) => (
  <HistorySlider
    history={historyOf(of)}
    isConnected={feedOf(of.session).state.value !== 'lost'}
    fork={(seq) => openFork(of.task, seq, '')}
  />
);
