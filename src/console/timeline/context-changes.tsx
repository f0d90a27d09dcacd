import { type JsonChange, jsonChanges } from '../history/json-changes.ts';
import { LongText } from './long-text.tsx';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

const pathText = (path: JsonChange['path']): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');

const Change = ({ path, before, after }: JsonChange) => (
  <div class={styles.change}>
    <dt>
      <code>{pathText(path)}</code>
    </dt>
    {before !== undefined && (
      <dd class={styles.removed}>
        <del>
          <LongText value={before} />
        </del>
      </dd>
    )}
    {after !== undefined && (
      <dd class={styles.added}>
        <ins>
          <LongText value={after} />
        </ins>
      </dd>
    )}
  </div>
);

/** Changes of an entry to its task: each place with its value before and now. */
export const ContextChanges = ({ before, after }: { before: unknown; after: unknown }) => {
  const changes = jsonChanges(before ?? {}, after ?? {});
  return changes.length === 0 ? (
    <p class={styles.muted}>{timelineTexts.value.same}</p>
  ) : (
    <dl class={styles.changes}>
      {changes.map((change) => (
        <Change key={pathText(change.path)} {...change} />
      ))}
    </dl>
  );
};
