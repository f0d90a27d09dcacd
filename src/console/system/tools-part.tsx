import type { McpServerView, ToolView } from '../../../contracts/http.ts';
import { listTools } from '../api/service-routes.ts';
import { Empty } from '../design/notice.tsx';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';
import { toolText } from './tool-texts.ts';

const Tool = ({ tool }: { tool: ToolView }) => {
  const { name, usage, writes, approval, source, server, executors } = tool;
  return (
    <li class={styles.card}>
      <h2>
        <code>{name}</code>
        {writes && <span class={styles.tag}>{texts.value.writes}</span>}
        {approval && <span class={styles.tag}>{texts.value.approval}</span>}
        <span class={styles.from}>
          {texts.value[source]}
          {server !== null && ` · ${server}`}
          {` · ${executors.join(', ')}`}
        </span>
      </h2>
      <p>{toolText(tool)}</p>
      <details>
        <summary>{texts.value.howToUse}</summary>
        <pre class={styles.code}>{usage}</pre>
      </details>
    </li>
  );
};

const Server = ({ server: { name, state, reason } }: { server: McpServerView }) => (
  <li class={styles.line}>
    <code>{name}</code>
    <span class={styles[state] ?? ''}>{texts.value[state]}</span>
    {reason !== null && <span class={styles.muted}>{reason}</span>}
  </li>
);

const Executors = ({ tools }: { tools: readonly ToolView[] }) => {
  const names = [...new Set(tools.flatMap(({ executors }) => executors))];
  return (
    <dl class={styles.pairs}>
      {names.map((name) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{tools.flatMap((tool) => (tool.executors.includes(name) ? [tool.name] : [])).join(', ')}</dd>
        </div>
      ))}
    </dl>
  );
};

/** Tools, executors and MCP servers. */
export const ToolsPart = () => (
  <LoadedPart load={listTools}>
    {({ tools, servers }) => (
      <div class={styles.part}>
        {tools.length === 0 ? (
          <Empty title={texts.value.noTools} />
        ) : (
          <ul class={styles.cards}>
            {tools.map((tool) => (
              <Tool key={tool.name} tool={tool} />
            ))}
          </ul>
        )}
        <h2>{texts.value.executors}</h2>
        <p class={styles.muted}>{texts.value.executorsHint}</p>
        <Executors tools={tools} />
        <h2>{texts.value.servers}</h2>
        {servers.length === 0 ? (
          <p class={styles.muted}>{texts.value.noServers}</p>
        ) : (
          <ul>
            {servers.map((server) => (
              <Server key={server.name} server={server} />
            ))}
          </ul>
        )}
      </div>
    )}
  </LoadedPart>
);
