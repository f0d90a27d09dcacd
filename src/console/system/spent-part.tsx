import type { SessionView } from '../../../contracts/http.ts';
import type { ListedUsageDay, UsageDay } from '../../../contracts/usage.ts';
import { Table } from '../design/loaded.tsx';
import { taskHref } from '../state/route.ts';
import { formatCost, formatDuration, formatNumber } from '../text/numbers.ts';
import { type SpentByModel, spentByModel, spentByTask, spentByTool } from './spent.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';

const costText = (cost: SpentByModel['cost']): string => (cost === null ? '–' : formatCost(cost.amount, cost.currency));

/** The highest cost in a table. */
const dearest = (items: readonly { cost: SpentByModel['cost'] }[]): number =>
  Math.max(0, ...items.map(({ cost }) => cost?.amount ?? 0));

/** A cost, and a bar that is as long as its part of the highest in its table. */
const Cost = ({ cost, of }: { cost: SpentByModel['cost']; of: number }) => (
  <span class={styles.cost}>
    <span aria-hidden="true">{cost !== null && of > 0 && <i style={{ width: `${(100 * cost.amount) / of}%` }} />}</span>
    {costText(cost)}
  </span>
);

/** The usage of each model over the days that are shown. */
export const SpentOnModels = ({ days }: { days: readonly UsageDay[] }) => {
  const count = formatNumber.value;
  const items = spentByModel(days);
  return (
    <section>
      <h2>{texts.value.byModel}</h2>
      <Table
        label={texts.value.byModel}
        items={items}
        columns={[
          [texts.value.model, ({ model }) => model],
          [texts.value.calls, ({ calls }) => count(calls), 'numbers'],
          [texts.value.tokens, ({ tokens }) => count(tokens), 'numbers'],
          [texts.value.cost, ({ cost }) => <Cost cost={cost} of={dearest(items)} />, 'numbers'],
        ]}
      />
    </section>
  );
};

/** The calls of each tool over the days that are shown; renders nothing where there were none. */
export const SpentOnTools = ({ days }: { days: readonly ListedUsageDay[] }) => {
  const count = formatNumber.value;
  const items = spentByTool(days);
  if (items.length === 0) return null;
  return (
    <section>
      <h2>{texts.value.byTool}</h2>
      <p class="small muted">{texts.value.byToolHint}</p>
      <Table
        label={texts.value.byTool}
        items={items}
        columns={[
          [texts.value.tool, ({ tool }) => <code>{tool}</code>],
          [texts.value.toolCalls, ({ calls }) => count(calls), 'numbers'],
          [texts.value.failures, ({ failed }) => count(failed), 'numbers'],
          [texts.value.time, ({ duration_ms }) => formatDuration(duration_ms), 'numbers'],
          [texts.value.calls, ({ model_calls }) => count(model_calls), 'numbers'],
          [texts.value.cost, ({ cost }) => <Cost cost={cost} of={dearest(items)} />, 'numbers'],
        ]}
      />
    </section>
  );
};

/** Sessions that are looked through for expensive tasks. */
export const SESSIONS_MAX = 200;

/** Tasks that are shown. */
const TASKS_MAX = 10;

/** The most expensive of the sessions' last tasks; renders nothing where no cost is known. */
export const SpentOnTasks = ({ sessions }: { sessions: readonly SessionView[] }) => {
  const items = spentByTask(sessions).slice(0, TASKS_MAX);
  if (items.length === 0) return null;
  return (
    <section>
      <h2>{texts.value.byTask}</h2>
      <p class="small muted">{texts.value.byTaskHint(SESSIONS_MAX)}</p>
      <Table
        label={texts.value.byTask}
        items={items}
        columns={[
          [
            texts.value.task,
            ({ session, task, title }) => (
              <a href={taskHref(session, task)} dir="auto">
                {title}
              </a>
            ),
          ],
          [texts.value.cost, ({ cost }) => <Cost cost={cost} of={dearest(items)} />, 'numbers'],
        ]}
      />
    </section>
  );
};
