import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ForkPreview, PreviewedEffect } from '../../../contracts/turn-view.ts';
import { useChange, useResource } from '../api/resource.ts';
import { forkTask, listTrace, previewFork } from '../api/service-routes.ts';
import { navigate, sessionHref } from '../app/route.ts';
import { forkDraft, selectedSeq, selectSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-of-session.ts';
import { Options } from '../chat/questions.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Loaded, Refusal } from '../design/loaded.tsx';
import { defineTexts } from '../text/language.ts';
import { shared } from '../text/shared.ts';
import styles from './fork.module.css';
import { type ForkPoint, firstPoint, forkPoints } from './fork-points.ts';

const texts = defineTexts({
  title: ['Fork this task', '从这里分叉'],
  intro: [
    'A fork goes on from an earlier moment in a session of its own. This task stays as it is.',
    '分叉会在一个新会话里从之前的某一刻继续，原任务保持不变。',
  ],
  from: ['Go on from', '从何处继续'],
  entry: [(seq: number) => `entry ${seq}`, (seq: number) => `第 ${seq} 条`],
  question: ['the question', '提问处'],
  approval: ['the approval', '批准处'],
  paused: ['the pause', '暂停处'],
  planned: ['the plan', '计划处'],
  tool: ['before the tool', '工具执行前'],
  looked: ['the entry in view', '当前查看的条目'],
  yes: ['yes', '是'],
  always: ['always', '始终'],
  no: ['no', '不要'],
  answer: ['Your answer in the fork', '在分叉中的回答'],
  steer: ['What it should know besides (may be empty)', '补充说明（可留空）'],
  continue: ['Goes on with a new budget', '以新的预算继续'],
  recalled: [
    (count: number) =>
      `Recalled: ${count === 1 ? '1 result is' : `${count} results are`} taken over, nothing of it is done again`,
    (count: number) => `沿用：直接采用 ${count} 个已有结果，不再执行`,
  ],
  performed: ['Done again at once', '立即重新执行'],
  left: [
    (count: number) => `Decided anew: ${count === 1 ? 'the step' : `the ${count} steps`} that came after`,
    (count: number) => `重新决定：之后的 ${count} 步`,
  ],
  leftHint: ['What they did stays done; the fork may do it again.', '它们做过的事不会撤销，分叉可能再做一次。'],
  writes: ['changes something', '会产生改动'],
  models: [
    (count: number) => (count === 1 ? '1 model call' : `${count} model calls`),
    (count: number) => `${count} 次模型调用`,
  ],
  make: ['Fork', '分叉'],
  ended: ['The task had ended there; choose an earlier entry.', '任务在那里已经结束，请选择更早的条目。'],
});

/** Tools one by one, and the model calls as a number: those alone change nothing. */
const Effects = ({ effects, mark, isOver }: { effects: readonly PreviewedEffect[]; mark: string; isOver?: true }) => {
  const tools = effects.filter(({ tool }) => tool !== null);
  const models = effects.length - tools.length;
  return (
    <ul class={styles.effects}>
      {tools.map(({ effect_id, tool, input, writes }) => (
        <li key={effect_id}>
          <span aria-hidden="true">{mark}</span> <code>{tool}</code> <span class="muted">{input}</span>{' '}
          {writes && isOver !== true && <span class={`${styles.writes} small`}>{texts.value.writes}</span>}
        </li>
      ))}
      {models > 0 && (
        <li>
          <span aria-hidden="true">{mark}</span> {texts.value.models(models)}
        </li>
      )}
    </ul>
  );
};

interface PartProps {
  name: string;
  /** The name of its colour. */
  colour: 'done' | 'running' | 'waiting';
  title: string;
  children: ComponentChildren;
}

const Part = ({ name, colour, title, children }: PartProps) => (
  <section class={styles.part} style={{ '--colour': `var(--${colour})` }} data-part={name}>
    <h3>{title}</h3>
    {children}
  </section>
);

/** The preview of a fork: recalled, done again, and left behind. */
const Preview = ({ preview: { recalled, performed, left } }: { preview: ForkPreview }) => (
  <div class="stack">
    <Part name="recalled" colour="done" title={texts.value.recalled(recalled.length)}>
      <Effects effects={recalled} mark="✓" isOver />
    </Part>
    {performed.length > 0 && (
      <Part name="performed" colour="running" title={texts.value.performed}>
        <Effects effects={performed} mark="↻" />
      </Part>
    )}
    {left.length > 0 && (
      <Part name="left" colour="waiting" title={texts.value.left(left.length)}>
        <Effects effects={left} mark="✎" />
        <p class="muted small">{texts.value.leftHint}</p>
      </Part>
    )}
  </div>
);

/** Longest beginning of a question in the list of moments, in characters. */
const TEXT_CHARS_MAX = 60;

const nameOf = ({ seq, kind, text }: ForkPoint): string => {
  const cut = text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
  return `${texts.value[kind]}${cut === '' ? '' : ` “${cut}”`} · ${texts.value.entry(seq)}`;
};

interface FormProps {
  task: string;
  points: readonly ForkPoint[];
  onClose: () => void;
}

const Form = ({ task, points, onClose }: FormProps) => {
  const at = firstPoint(points, selectedSeq.value);
  const input = forkDraft(task);
  const setInput = (text: string): void => {
    input.value = text;
  };
  const { problem, change } = useChange();
  const isMaking = useSignal(false);
  const previewed = useResource(async (signal) => (at === null ? null : previewFork(task, at, signal)), [task, at]);
  const preview = previewed.loaded.value.value;
  useEffect(() => {
    problem.value = null;
  }, [at]);
  const make = async (): Promise<void> => {
    if (at === null || preview == null) return;
    isMaking.value = true;
    const text = preview.takes === 'continue' ? 'continue' : input.value.trim();
    await change(async () => {
      const turn = await forkTask(task, { at, ...(text !== '' && { input: text }) });
      onClose();
      navigate(sessionHref(turn.session_id));
    });
    isMaking.value = false;
  };
  const isApproval = points.find(({ seq }) => seq === at)?.kind === 'approval';
  const words = isApproval ? [texts.value.yes, texts.value.always, texts.value.no] : [];
  if (at === null) return <p>{texts.value.ended}</p>;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <p>{texts.value.intro}</p>
      <label class="stack">
        {texts.value.from}
        <select value={String(at)} onChange={(event) => selectSeq(Number(event.currentTarget.value))}>
          {points.map((point) => (
            <option key={point.seq} value={String(point.seq)}>
              {nameOf(point)}
            </option>
          ))}
        </select>
      </label>
      {preview?.question != null && <p class={`${styles.asked} as-written`}>{preview.question}</p>}
      <Options options={preview?.options ?? words} chosen={input.value} choose={setInput} />
      {preview?.takes === 'continue' && <p class="muted small">{texts.value.continue}</p>}
      {preview != null && preview.takes !== 'continue' && (
        <label class="stack">
          {preview.takes === 'answer' ? texts.value.answer : texts.value.steer}
          <textarea rows={2} value={input.value} onInput={(event) => setInput(event.currentTarget.value)} />
        </label>
      )}
      <Loaded from={previewed.loaded.value} onRetry={previewed.reload}>
        {(found) => found !== null && <Preview preview={found} />}
      </Loaded>
      <Refusal error={problem.value} />
      <div class="buttons">
        <Button onClick={onClose}>{shared.value.cancel}</Button>
        <Button
          kind="primary"
          type="submit"
          disabled={preview == null || isMaking.value || (preview.takes === 'answer' && input.value.trim() === '')}
        >
          {texts.value.make}
        </Button>
      </div>
    </form>
  );
};

/** Goes on from another moment of a task, in a session of its own: what that means is shown before it is agreed to. */
export const ForkDialog = ({ task, onClose }: TaskProps & { onClose: () => void }) => {
  const trace = useResource((signal) => listTrace(task, signal), [task]);
  return (
    <Dialog title={texts.value.title} onClose={onClose}>
      <Loaded from={trace.loaded.value} onRetry={trace.reload}>
        {(entries) => <Form task={task} points={forkPoints(entries, selectedSeq.value)} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
};
