import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { feedOf } from '../api/session-feed.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import { Button } from '../design/button.tsx';
import type { IconName } from '../design/icon.tsx';
import { historyOf, type TaskHistory } from '../history/task-history.ts';
import { openFork, selectedSeq, selectedTab, selectSeq, selectTab } from '../state/selection.ts';
import { eventTitle } from '../text/event-titles.ts';
import { defineTexts } from '../text/language.ts';
import { locale } from '../text/numbers.ts';
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
  goLive: ['Back to the newest entry', '回到最新记录'],
  lost: ['No connection: new entries do not arrive', '连接已断开：新内容不会到达'],
  lookedAt: ['You are looking at {0}. Later entries are hidden.', '你正在查看 {0} 的情形，之后的内容未显示。'],
  toNow: ['Back to now', '回到现在'],
  forkHere: ['Fork from here', '从这里分叉'],
  place: ['{1} of {2} · entry {0}', '第 {1} / {2} 条 · 记录 {0}'],
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
  question: 'waiting',
  replan: 'border-strong',
  failure: 'failed',
  pause: 'paused',
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

/** The slider over a history. Chart, plan, chat, budget and timeline show the entry that it selects. */
export const HistorySlider = ({ history, isConnected = true }: { history: TaskHistory; isConnected?: boolean }) => {
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
  const play = (): void => {
    if (!isPlaying.value && index >= count - 1) show(0);
    isPlaying.value = !isPlaying.value;
  };
  const entry = entries[index];
  const mark = marks.find((one) => one.index === index);
  const place = entry === undefined ? '' : texts.place(entry.seq, index + 1, count);
  // Unchanged while the trace is: moving the slider does not redraw them.
  const drawnMarks = useMemo(() => <Marks marks={marks} count={count} />, [marks, count]);
  const words = [place, entry && eventTitle(entry.event), mark && mark.kind !== 'replan' && texts[mark.kind]]
    .filter(Boolean)
    .join(' · ');
  const tool = (icon: IconName, label: string, onClick: () => void) => (
    <Button icon={icon} title={label} disabled={count < 2} onClick={onClick} />
  );
  return (
    <section class={styles.scrubber} aria-label={texts.history}>
      {tool(isPlaying.value ? 'pause' : 'play', isPlaying.value ? texts.stop : texts.play, play)}
      {tool('previous', texts.previous, () => select(marks.findLast((one) => one.index < index)?.index))}
      {tool('next', texts.next, () => select(marks.find((one) => one.index > index)?.index))}
      <div class={styles.track}>
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
      <output class={`${styles.place} clipped muted small`} title={words}>
        {words}
      </output>
      <Button
        kind={isLive ? 'quiet' : 'primary'}
        class={isLive && isConnected ? styles.live : ''}
        aria-pressed={isLive}
        title={isConnected ? texts.goLive : texts.lost}
        onClick={() => {
          isPlaying.value = false;
          selectSeq(null);
        }}
      >
        {texts.live}
      </Button>
    </section>
  );
};

/** The slider over a task's history. */
export const Scrubber = (of: TaskProps) => (
  <HistorySlider history={historyOf(of)} isConnected={feedOf(of.session).state.value !== 'lost'} />
);

/** Replaces the composer while an earlier moment is selected: its time, and the ways to continue from it. */
export const PastControls = ({ session, task }: TaskProps) => {
  const texts = scrubberTexts.value;
  const { entries, index } = historyOf({ session, task });
  const entry = entries[index.value];
  const fork = (seq: number): void => {
    // The dialog belongs to the task's pane, which a small screen may hide.
    if (selectedTab.peek() === null) selectTab('plan');
    openFork(task, seq, '');
  };
  return (
    <div class={`${styles.past} line`} role="status">
      <span class="fill">
        {entry !== undefined &&
          texts.lookedAt(
            new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'medium' }).format(
              Date.parse(entry.at),
            ),
          )}
      </span>
      {entry !== undefined && selectedSeq.value !== null && (
        <Button onClick={() => fork(entry.seq)}>{texts.forkHere}</Button>
      )}
      <Button kind="primary" onClick={() => selectSeq(null)}>
        {texts.toNow}
      </Button>
    </div>
  );
};
