import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import { curlCommand } from '../../src/console/export/curl-command.ts';
import { consoleLanguage } from './console-language.ts';

await consoleLanguage();
const { taskPage } = await import('../../src/console/export/task-page.ts');

const HOSTILE = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> & "\' \u2028';

const MARKDOWN = `# Title\n\n**bold** [safe](https://example.com/?a="b") [not](javascript:alert(1)) ![seen](https://example.com/p.png) \u202Eback\n\n${HOSTILE}`;

const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_written_tokens: 0 };
const line = { v: 1, at: '2026-01-05T09:00:00.000Z', session_id: 's1', task_id: 'task_1', machine: 'm' } as const;
const effect_id = 'task_1.1';
const entries = [
  {
    ...line,
    seq: 1,
    state: 'replanning',
    step_count: 0,
    effects: [],
    event: { type: 'replan.made', status: 'done', plan: [], response: MARKDOWN, effect: 1, reader: 'strict' },
  },
] satisfies TraceEntry[];

const view = {
  id: 'task_1',
  goal: HOSTILE,
  state: 'done',
  outcome: 'completed',
  step_count: 1,
  step_limit: 20,
  usage,
  plan: [{ id: HOSTILE, step: HOSTILE, status: 'completed', executor: 'default', depends_on: [], result: HOSTILE }],
} as unknown as TaskView;

const call = {
  effect_id,
  contract: 'replan' as const,
  model: HOSTILE,
  started_at: line.at,
  duration_ms: 5,
  outcome: 'answered' as const,
  fault: 'none' as const,
  usage: null,
  prompt_chars: 1,
  answer_chars: 1,
  structured_output: true,
  failure: null,
  prompt: {
    tools: [{ name: 'look', description: HOSTILE, schema: { description: HOSTILE } }],
    system: HOSTILE,
    messages: [{ role: 'user' as const, content: HOSTILE }],
  },
  answer: HOSTILE,
  calls: [{ name: 'finish', input: { response: HOSTILE } }],
};

describe('a task as one page', () => {
  const page = taskPage({ session: 's1', view, entries, calls: [call] });

  it('has no markup of what users, models or tools said, wherever it stands', () => {
    expect(page.match(/<script/g)).toEqual(['<script']);
    expect(page.match(/<\/script/g)).toEqual(['</script']);
    expect(page).not.toMatch(/<img|<!--/);
    expect(page.match(/&lt;img src=x/g)?.length).toBeGreaterThan(5);
  });

  it('has the tools that a model was offered, and the calls of its answer', () => {
    expect(page).toMatch(/<details><summary>Tools<\/summary><pre>look\n/);
    expect(page).toMatch(/<h3>Answer of the model<\/h3><pre>[\s\S]*\n\nfinish \{\n {2}&quot;response&quot;/);
  });

  it('shows an answer as Markdown, with links that lead to the web and nothing that is loaded from there', () => {
    expect(page).toContain('<h3 dir="auto">Title</h3>');
    expect(page).toContain('<strong>bold</strong> <a href="https://example.com/?a=%22b%22" rel="noopener noreferrer">');
    expect(page).toContain(' not <a href="https://example.com/p.png" rel="noopener noreferrer">seen</a> \\u202eback');
    expect(page).not.toMatch(/href="javascript/);
  });

  it('mirrors lists, tables and quotes by their first letter, and isolates what stands in them', () => {
    const response =
      '- [x] تم\n- max@shop.example\n\n| الطلب | Sum |\n|---|---:|\n| 1043 | 7 € |\n\n> شكرا\n\n1. One\n2. اثنان';
    const arabic = entries.map((entry) => ({ ...entry, event: { ...entry.event, response } }));
    const shown = taskPage({ session: 's1', view, entries: arabic, calls: [] });
    expect(shown).toContain('<ul dir="rtl"><li>☑ <bdi>تم</bdi></li>');
    expect(shown).toContain('<div dir="rtl"><table><thead><tr><th><bdi>الطلب</bdi></th>');
    expect(shown).toContain('<blockquote dir="rtl">');
    expect(shown).toContain('<ol start="1" dir="ltr"><li><bdi>One</bdi></li><li><bdi>اثنان</bdi></li></ol>');
  });

  it.each([
    ['>', '>'.repeat(4_000)],
    ['lists', `${'- '.repeat(1_000)}a`],
    ['emphasis', `${'*a '.repeat(1_000)}${'b*'.repeat(1_000)}`],
  ])('shows thousands of nested %s as they are', (_, response) => {
    const deep = entries.map((entry) => ({ ...entry, event: { ...entry.event, response } }));
    const written = `<p dir="auto">${response.replaceAll('>', '&gt;')}</p>`;
    expect(taskPage({ session: 's1', view, entries: deep, calls: [] })).toContain(written);
  });

  it('has its trace as data, which nothing in it ends early', () => {
    const [, data = ''] = /<script type="application\/json" id="trace">([\s\S]*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual(entries);
  });
});

describe('a task as curl', () => {
  it('is one command whose words are quoted, and names no key', () => {
    const command = curlCommand('http://localhost:8787', 's1', "Don't $(rm -rf) `x`", true);
    expect(command).toContain(`-d '{"input":"Don'\\''t $(rm -rf) \`x\`"}'`);
    expect(command).toContain('"authorization: Bearer $TRIPACT_API_KEY"');
  });
});
