import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import type { ModelCall } from '../../../contracts/model-call.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { formatEntry } from '../../history/format.ts';
import { TRACE_BEGIN, TRACE_END } from '../../history/saved-page.ts';
import { markdownNodes } from '../design/markdown-nodes.tsx';
import { visibleOrder } from '../design/visible-order.ts';
import { language } from '../text/language.ts';
import { answerText, toolsText } from '../timeline/prompt-text.ts';
import { pageTexts } from './texts.ts';

/** The style of a saved task, which has to be in the file. */
const PAGE_STYLE = `
:root{color-scheme:light dark;--line:light-dark(#e2e3e8,#2a2c34);--muted:light-dark(#5c606b,#9b9fac);--sunken:light-dark(#f7f7f9,#111216)}
body{max-width:960px;margin:0 auto;padding:24px 16px;background:light-dark(#fff,#16171b);color:light-dark(#1a1b20,#e7e8ec);
font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
h1{font-size:20px}h2{margin:24px 0 8px;font-size:16px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0}dt{color:var(--muted)}dd{margin:0}
pre{margin:4px 0;padding:8px 12px;border-radius:5px;background:var(--sunken);font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap}
figure{margin:0}ol{padding-inline-start:24px}li .markdown{color:var(--muted)}.markdown p{white-space:pre-line}code{font:12px/1.5 ui-monospace,Menlo,Consolas,monospace}
blockquote{margin:8px 0;padding-inline-start:12px;border-inline-start:2px solid var(--line)}table{border-collapse:collapse}td,th{padding:4px 12px;border:1px solid var(--line);text-align:start}
details{border-bottom:1px solid var(--line)}summary{padding:6px 0;cursor:pointer;font:12px/1.5 ui-monospace,Menlo,Consolas,monospace}
details details{margin-left:16px;border:0}h3{margin:8px 0 0;color:var(--muted);font-size:12px}
@media print{details>*{display:block}}`;

/** Contents of a saved page. */
export interface PageParts {
  session: string;
  view: TaskView;
  entries: readonly TraceEntry[];
  calls: readonly ModelCall[];
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Any text as page text, never as markup. */
const text = (value: unknown): string =>
  visibleOrder(String(value)).replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** Attributes of nodes that a page keeps. */
const ATTRIBUTES = ['href', 'rel', 'start', 'dir'];

/** Nodes of Markdown as HTML, without anything clickable. */
const html = (node: ComponentChildren): string => {
  if (Array.isArray(node)) return node.map(html).join('');
  if (!isValidElement(node)) return node === null || node === undefined ? '' : text(node);
  const { type, props } = node as VNode<Record<string, unknown> & { children?: ComponentChildren }>;
  if (typeof type === 'function') return '';
  const kept = ATTRIBUTES.filter((name) => props[name] !== undefined);
  const begin = `<${String(type)}${kept.map((name) => ` ${name}="${text(props[name])}"`).join('')}>`;
  return type === 'br' || type === 'hr' ? begin : `${begin}${html(props.children)}</${String(type)}>`;
};

const markdown = (written: string): string => `<div class="markdown">${html(markdownNodes(written))}</div>`;

const block = (value: unknown): string =>
  `<pre>${text(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>`;

/** JSON within a script element. It must not contain `</`, which would end the element. */
const data = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const marks: Record<string, string> = {
  completed: '✓',
  in_progress: '→',
  blocked: '!',
  dropped: '–',
  not_started: ' ',
};

const callPart = (call: ModelCall): string => {
  const texts = pageTexts.value;
  return [
    `<details><summary>${text(texts.call)} · ${text(call.contract)} · ${text(call.model)} · ${call.duration_ms} ms</summary>`,
    ...(call.prompt === null
      ? []
      : [
          `<h3>${text(texts.prompt)}</h3>`,
          ...(call.prompt.tools === undefined
            ? []
            : [`<details><summary>${text(texts.tools)}</summary>${block(toolsText(call.prompt.tools))}</details>`]),
          block(call.prompt.system),
          ...call.prompt.messages.map(({ role, content }) => `<h3>${text(role)}</h3>${block(content)}`),
        ]),
    `<h3>${text(call.answer === null ? texts.noAnswer : texts.modelAnswer)}</h3>`,
    block(answerText(call) || (call.failure ?? '')),
    '</details>',
  ].join('');
};

const entryPart = (entry: TraceEntry, calls: readonly ModelCall[] = []): string => {
  const texts = pageTexts.value;
  return [
    `<details id="entry-${entry.seq}"><summary>${text(formatEntry(entry))}</summary>`,
    `<h3>${text(texts.event)} · ${text(entry.at)}</h3>${block(entry.event)}`,
    entry.effects.length === 0 ? '' : `<h3>${text(texts.effects)}</h3>${block(entry.effects)}`,
    ...calls.map(callPart),
    '</details>',
  ].join('');
};

/** The answer that ended the task, as its last replan gave it. */
const answerOf = (entries: readonly TraceEntry[]): string | null => {
  const last = entries.findLast(({ event }) => event.type === 'replan.made')?.event;
  return last?.type === 'replan.made' && last.status === 'done' ? last.response : null;
};

/**
 * A task as one page that opens anywhere. It loads nothing and runs no script, which its policy also forbids. It
 * contains the trace as data. Everything that users, models and tools said is text.
 */
export const taskPage = ({ session, view, entries, calls }: PageParts): string => {
  const texts = pageTexts.value;
  const { usage, cost } = view;
  const tokens = usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_written_tokens;
  const answer = answerOf(entries);
  const callsOf = Map.groupBy(calls, ({ effect_id }) => effect_id);
  const facts: [string, string][] = [
    [texts.state, view.outcome === null ? view.state : `${view.state} (${view.outcome})`],
    [texts.steps, `${view.step_count} / ${view.step_limit}`],
    [texts.tokens, String(tokens)],
    ...(cost === undefined ? [] : ([[texts.cost, `${cost.amount} ${cost.currency}`]] satisfies [string, string][])),
    [texts.session, session],
    [texts.task, view.id],
    [texts.opened, entries[0]?.at ?? ''],
    [texts.last, entries.at(-1)?.at ?? ''],
  ];
  return [
    `<!doctype html><html lang="${language.value === 'zh' ? 'zh-Hans' : 'en'}"><head><meta charset="utf-8">`,
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">`,
    `<title>${text(view.goal.slice(0, 100))}</title><style>${PAGE_STYLE}</style></head><body>`,
    `<h1>${text(view.goal)}</h1><dl>`,
    ...facts.map(([name, value]) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`),
    '</dl>',
    answer === null ? '' : `<h2>${text(texts.answer)}</h2>${markdown(answer)}`,
    `<h2>${text(texts.plan)}</h2><ol>`,
    ...view.plan.map(
      ({ step, status, result }) =>
        `<li>[${marks[status]}] ${text(step)}${result === null ? '' : markdown(result)}</li>`,
    ),
    `</ol><h2>${text(texts.entries)}</h2>`,
    ...entries.map((entry) => {
      const own = 'effect' in entry.event ? callsOf.get(`${view.id}.${entry.event.effect}`) : undefined;
      return entryPart(entry, own);
    }),
    TRACE_BEGIN,
    entries.map(data).join(',\n'),
    `${TRACE_END}</body></html>`,
  ].join('\n');
};
