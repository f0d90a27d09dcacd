import type { ToolServerView, ToolView } from '../../../contracts/http.ts';
import { request } from '../api/request.ts';
import { allPages } from '../api/routes.ts';
import { Opens } from '../design/dialog.tsx';
import { Empty, LoadedPart } from '../design/loaded.tsx';
import { Tree } from '../design/tree.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';
import { toolText } from './tool-text.ts';
import { TryTool } from './try-tool.tsx';

interface TagProps {
  asks?: boolean;
  children: string;
}

const Tag = ({ asks = false, children }: TagProps) => (
  <li class={styles.tag} data-asks={asks}>
    {children}
  </li>
);

const Tool = ({ tool }: { tool: ToolView }) => {
  const { name, usage, writes, approval, is_untrusted, for_models, source, server, executors } = tool;
  return (
    <li class={`card ${styles.tool}`}>
      <h2 class="line">
        <code>{name}</code>
        <span class={`small muted ${styles.from}`}>
          {[texts.value[source], server, executors.join(', ')].filter(Boolean).join(' · ')}
        </span>
      </h2>
      <ul class={styles.tags}>
        {writes && <Tag>{texts.value.writes}</Tag>}
        {approval !== false && <Tag asks>{texts.value[approval === true ? 'approval' : approval]}</Tag>}
        {is_untrusted && <Tag>{texts.value.untrusted}</Tag>}
        {!for_models && <Tag>{texts.value.forUsers}</Tag>}
      </ul>
      <p>{toolText(tool)}</p>
      <div class={styles.toolEnd}>
        <details>
          <summary>{texts.value.howToUse}</summary>
          <pre class="inset">{usage}</pre>
        </details>
        <Opens
          size="small"
          aria-label={texts.value.tryTool(name)}
          dialog={(close) => <TryTool tool={tool} onClose={close} />}
        >
          {texts.value.try}
        </Opens>
      </div>
    </li>
  );
};

/** The colors of a server's states. */
const COLOURS = { connected: 'done', connecting: 'running', failed: 'failed', sign_in: 'waiting' };

const Server = ({ server: { name, kind, state, reason } }: { server: ToolServerView }) => (
  <li class="line">
    <code>{name}</code>
    <span class="muted">{texts.value[kind]}</span>
    <span style={{ color: `var(--${COLOURS[state]})` }}>{texts.value[state]}</span>
    {reason !== null && <span class="muted">{reason}</span>}
  </li>
);

/** Tools, executors and MCP servers. */
export const ToolsPart = () => (
  <LoadedPart
    load={async (signal) => {
      const pages = await allPages<{ tools: ToolView[]; servers: ToolServerView[] }>('/v1/tools', signal);
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
          <summary class="name">{name}</summary>
          <Tree value={schema} />
        </details>
      ))
    }
  </LoadedPart>
);
