import { useId, useMemo, useRef } from 'preact/hooks';
import type { ForkPreview, TurnView } from '../../../contracts/turn-view.ts';
import { path, request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { previewFork } from '../api/routes.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import { Options } from '../card/question-card.tsx';
import { Field, FormDialog } from '../design/form.tsx';
import { Icon, type IconName } from '../design/icon.tsx';
import { Loaded, Refusal } from '../design/loaded.tsx';
import { argumentOf } from '../history/call-of-tool.ts';
import { historyOf } from '../history/task-history.ts';
import { navigate, sessionHref } from '../state/route.ts';
import { forkDraft, selectedSeq, selectSeq } from '../state/selection.ts';
import { defineTexts } from '../text/language.ts';
import styles from './fork.module.css';
import { type ForkPoint, firstPoint, forkPoints } from './fork-points.ts';

const texts = defineTexts({
  title: ['Fork this task', '从这里分叉'],
  intro: [
    'A fork continues from an earlier moment in a new session. This task stays unchanged.',
    '分叉会在一个新会话里从之前的某一刻继续，原任务保持不变。',
  ],
  from: ['Continue from', '从何处继续'],
  entry: ['entry {0}', '第 {0} 条'],
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
  steer: ['What else it should know (may be empty)', '补充说明（可留空）'],
  continue: ['Continues with a new budget', '以新的预算继续'],
  preview: ['What the fork does', '分叉会做什么'],
  recalled: [
    (count: number) => `Recalled: ${count === 1 ? '1 result is' : `${count} results are`} taken over and not repeated`,
    (count: number) => `沿用：直接采用 ${count} 个已有结果，不再执行`,
  ],
  performed: ['Performed again at once', '立即重新执行'],
  left: [
    (count: number) => `Decided anew: ${count === 1 ? 'the step' : `the ${count} steps`} that came after`,
    (count: number) => `重新决定：之后的 ${count} 步`,
  ],
  leftHint: ['Their effects remain; the fork may do the same again.', '它们做过的事不会撤销，分叉可能再做一次。'],
  writes: ['changes something', '会产生改动'],
  models: [
    (count: number) => (count === 1 ? '1 model call' : `${count} model calls`),
    (count: number) => `${count} 次模型调用`,
  ],
  make: ['Fork', '分叉'],
  ended: ['The task had ended there; choose an earlier entry.', '任务在那里已经结束，请选择更早的条目。'],
});

/** The fates of the original's effects, each with its sign. */
const PARTS = [
  { name: 'recalled', icon: 'check' },
  { name: 'performed', icon: 'replan' },
  { name: 'left', icon: 'rename' },
] as const satisfies readonly { name: keyof ForkPreview; icon: IconName }[];

/** A part of the preview: its tools one by one, and only the number of its model calls, which change nothing. */
const Part = ({ preview, part: { name, icon } }: { preview: ForkPreview; part: (typeof PARTS)[number] }) => {
  const { [name]: title, leftHint, writes: changes, models } = texts.value;
  const effects = preview[name];
  const tools = effects.filter(({ tool }) => tool !== null);
  if (effects.length === 0 && name !== 'recalled') return null;
  return (
    <section class={styles.part} data-part={name}>
      <Icon name={icon} />
      <h3>{typeof title === 'string' ? title : title(effects.length)}</h3>
      <ul class={styles.effects}>
        {tools.map(({ effect_id, tool, input, writes }) => (
          <li key={effect_id}>
            <span class="clipped fill">
              <code>{tool}</code> <span class="muted">{argumentOf(input ?? '')}</span>
            </span>{' '}
            {writes && name !== 'recalled' && <span class={styles.writes}>{changes}</span>}
          </li>
        ))}
        {effects.length > tools.length && <li class="muted">{models(effects.length - tools.length)}</li>}
      </ul>
      {name === 'left' && <p class="muted small">{leftHint}</p>}
    </section>
  );
};

/** Longest excerpt of a question in the list of moments, in characters. */
const TEXT_CHARS_MAX = 60;

const nameOf = ({ seq, kind, text }: ForkPoint): string => {
  const cut = text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text;
  return `${texts.value[kind]}${cut === '' ? '' : ` “${cut}”`} · ${texts.value.entry(seq)}`;
};

/** Continues from another moment of a task in a new session. Shows what that means before the user agrees. */
export const ForkDialog = ({ session, task, onClose }: TaskProps & { onClose: () => void }) => {
  const { entries, count, error } = historyOf({ session, task });
  // The points at the time of opening: a running task changes nothing meanwhile.
  const points = useMemo(() => forkPoints(entries, selectedSeq.value), [count.value > 0, selectedSeq.value]);
  const at = firstPoint(points, selectedSeq.value);
  const input = forkDraft(task);
  const setInput = (text: string): void => {
    input.value = text;
  };
  const previewed = useResource(async (signal) => (at === null ? null : previewFork(task, at, signal)), [task, at]);
  const { value: newest, error: refused } = previewed.loaded.value;
  // The preview of another moment stays until the new one is there.
  const last = useRef(newest);
  last.current = newest ?? last.current;
  const preview = refused === null ? last.current : undefined;
  const make = async (): Promise<void> => {
    if (at === null) return;
    const text = preview?.takes === 'continue' ? 'continue' : input.value.trim();
    const body = { at, ...(text !== '' && { input: text }) };
    const turn = await request<TurnView>(path`/v1/tasks/${task}/fork`, { method: 'POST', body });
    navigate(sessionHref(turn.session_id));
  };
  // A short question is said whole in the list of moments; options need it as their heading.
  const point = points.find(({ seq }) => seq === preview?.at);
  const isSaid = point !== undefined && point.text === preview?.question && point.text.length <= TEXT_CHARS_MAX;
  const yesOrNo = point?.kind === 'approval' ? [texts.value.yes, texts.value.always, texts.value.no] : [];
  const options = preview?.options ?? yesOrNo;
  const question = options.length > 0 || !isSaid ? (preview?.question ?? null) : null;
  const questionId = useId();
  return (
    <FormDialog
      title={texts.value.title}
      submit={texts.value.make}
      disabled={newest == null || (newest.takes === 'answer' && input.value.trim() === '')}
      isSteady
      onClose={onClose}
      save={make}
    >
      <p class="muted">{texts.value.intro}</p>
      <Refusal error={error.value} />
      {at === null ? (
        count.value > 0 && <p>{texts.value.ended}</p>
      ) : (
        <Field title={texts.value.from}>
          <select value={String(at)} onChange={(event) => selectSeq(Number(event.currentTarget.value))}>
            {points.map((point) => (
              <option key={point.seq} value={String(point.seq)}>
                {nameOf(point)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <section aria-label={texts.value.preview} aria-busy={newest === undefined}>
        <Loaded from={{ value: preview, error: refused }} onRetry={previewed.reload}>
          {(found) =>
            found !== null && (
              <div key={found.at} class={styles.parts}>
                {PARTS.map((part) => (
                  <Part key={part.name} preview={found} part={part} />
                ))}
              </div>
            )
          }
        </Loaded>
      </section>
      {/* Fields of their own for each moment: none of them moves when another moment's preview is longer. */}
      {preview != null && (
        <div key={preview.at} class="stack">
          {question !== null && (
            <p id={questionId} class={`${styles.asked} as-written`} dir="auto">
              {question}
            </p>
          )}
          {options.length > 0 && (
            // biome-ignore lint/a11y/noStaticElementInteractions: the digits of its buttons act while one has the focus.
            <div
              class={styles.options}
              onKeyDown={({ key }) => options[Number(key) - 1] && setInput(options[Number(key) - 1]!)}
            >
              <Options
                options={options}
                labelledBy={question === null ? undefined : questionId}
                chosen={input.value}
                choose={setInput}
              />
            </div>
          )}
          {preview.takes === 'continue' ? (
            <p class="muted small">{texts.value.continue}</p>
          ) : (
            <Field title={preview.takes === 'answer' ? texts.value.answer : texts.value.steer}>
              <textarea rows={2} value={input.value} onInput={(event) => setInput(event.currentTarget.value)} />
            </Field>
          )}
        </div>
      )}
    </FormDialog>
  );
};
