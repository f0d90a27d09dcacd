import type { McpServerView, ToolView } from '../../../contracts/http.ts';
import { request } from '../api/request.ts';
import { allPages } from '../api/routes.ts';
import { Opens } from '../design/dialog.tsx';
import { Empty, LoadedPart } from '../design/loaded.tsx';
import { language } from '../text/language.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';
import { TryTool } from './try-tool.tsx';

/**
 * Descriptions of the built-in tools in Chinese; a test checks that none is missing. In English they come from the API.
 */
export const chineseTools: Readonly<Record<string, string>> = {
  todo: '用户的待办清单：添加、查找、修改、完成和删除待办，带标签、优先级、到期时间和提醒。',
  view: '按到期时间查看用户的待办：全部、今天、逾期、即将到来（今天之后）、收件箱（未定日期）。',
  schedule: '用户的日程：添加、查看、修改和删除日程，支持重复和提醒；时间冲突会报告。',
  planning:
    '会话作为笔记保存的命名计划，每步都有状态：创建、更新、列出、查看、激活、标记步骤、删除。它们不是正在执行的计划。',
  remember: '关于用户、以后的会话也知道的事实，例如偏好或姓名：用户要求记住，或显然以后还会用到时，记下一条。',
  internet_search: '搜索网络，给出前 3 个结果的标题、摘要和网址。',
  files: '此会话的文本文件，放在它自己的文件夹里：列出、读取、写入、追加、替换一段、删除。',
  coding_agent: '向编程代理发送命令并等待它的报告。代理在自己的文件上工作。',
};

/** A tool's description: for a built-in one in the chosen language, for any other in its own words. */
export const toolText = ({ name, source, description }: ToolView): string => {
  const isTranslated = language.value === 'zh' && source === 'built_in' && Object.hasOwn(chineseTools, name);
  return (isTranslated ? chineseTools[name] : undefined) ?? description;
};

const tag = (title: string) => <span class={styles.tag}>{title}</span>;

const Tool = ({ tool }: { tool: ToolView }) => {
  const { name, usage, writes, approval, is_untrusted, for_models, source, server, executors } = tool;
  return (
    <li class="card padded">
      <h2 class="line">
        <code>{name}</code>
        {writes && tag(texts.value.writes)}
        {approval !== false && tag(texts.value[approval === true ? 'approval' : approval])}
        {is_untrusted && tag(texts.value.untrusted)}
        {!for_models && tag(texts.value.forUsers)}
        <span class={`small muted ${styles.from}`}>
          {[texts.value[source], server, executors.join(', ')].filter(Boolean).join(' · ')}
        </span>
      </h2>
      <p>{toolText(tool)}</p>
      <details>
        <summary>{texts.value.howToUse}</summary>
        <pre class="inset">{usage}</pre>
      </details>
      <Opens
        kind="quiet"
        size="small"
        aria-label={texts.value.tryTool(name)}
        dialog={(close) => <TryTool tool={tool} onClose={close} />}
      >
        {texts.value.try}
      </Opens>
    </li>
  );
};

/** The colors of a server's states. */
const COLOURS = { connected: 'done', connecting: 'running', failed: 'failed', sign_in: 'waiting' };

const Server = ({ server: { name, state, reason } }: { server: McpServerView }) => (
  <li class="line">
    <code>{name}</code>
    <span style={{ color: `var(--${COLOURS[state]})` }}>{texts.value[state]}</span>
    {reason !== null && <span class="muted">{reason}</span>}
  </li>
);

/** Tools, executors and MCP servers. */
export const ToolsPart = () => (
  <LoadedPart
    load={async (signal) => {
      const pages = await allPages<{ tools: ToolView[]; servers: McpServerView[] }>('/v1/tools', signal);
      return { tools: pages.flatMap(({ tools }) => tools), servers: pages.at(-1)?.servers ?? [] };
    }}
  >
    {({ tools, servers }) => (
      <>
        {tools.length === 0 && <Empty title={texts.value.noTools} />}
        <ul class={styles.cards}>
          {tools.map((tool) => (
            <Tool key={tool.name} tool={tool} />
          ))}
        </ul>
        <h2>{texts.value.executors}</h2>
        <p class="muted">{texts.value.executorsHint}</p>
        <dl class="pairs">
          {[...new Set(tools.flatMap(({ executors }) => executors))].map((name) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{tools.flatMap((tool) => (tool.executors.includes(name) ? [tool.name] : [])).join(', ')}</dd>
            </div>
          ))}
        </dl>
        <h2>{texts.value.servers}</h2>
        {servers.length === 0 && <p class="muted">{texts.value.noServers}</p>}
        <ul>
          {servers.map((server) => (
            <Server key={server.name} server={server} />
          ))}
        </ul>
      </>
    )}
  </LoadedPart>
);

/** The JSON Schemas of all answers that a model may give. */
export const ContractsPart = () => (
  <LoadedPart load={(signal) => request<Record<string, unknown>>('/v1/contracts', { signal })}>
    {(contracts) =>
      Object.entries(contracts).map(([name, schema]) => (
        <details key={name} class="card padded" open={name === 'thought'}>
          <summary>{name}</summary>
          <pre>{JSON.stringify(schema, null, 2)}</pre>
        </details>
      ))
    }
  </LoadedPart>
);
