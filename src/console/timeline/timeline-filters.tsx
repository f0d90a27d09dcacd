import type { Signal } from '@preact/signals';
import { type EventType, eventTitles } from '../text/event-titles.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';
import type { TimelineFilter } from './timeline-rows.ts';

interface ChoiceProps {
  label: string;
  any: string;
  chosen: string | null;
  choices: readonly { value: string; title: string }[];
  onChoose: (value: string | null) => void;
}

const Choice = ({ label, any, chosen, choices, onChoose }: ChoiceProps) => (
  <select
    aria-label={label}
    value={chosen ?? ''}
    onChange={({ currentTarget }) => onChoose(currentTarget.value === '' ? null : currentTarget.value)}
  >
    <option value="">{any}</option>
    {choices.map(({ value, title }) => (
      <option key={value} value={value}>
        {title}
      </option>
    ))}
  </select>
);

interface FiltersProps {
  filter: Signal<TimelineFilter>;
  kinds: readonly EventType[];
  items: readonly string[];
  /** The text of a plan item's step by its id, as far as it is known. */
  steps: ReadonlyMap<string, string>;
  shown: number;
  all: number;
}

/** Most plan items that one chooses from, the newest ones: longer lists are slow, and the search finds the others. */
const ITEMS_MAX = 300;

/** Search and filters of the timeline, and how many entries they leave. */
export const TimelineFilters = ({ filter, kinds, items, steps, shown, all }: FiltersProps) => {
  const texts = timelineTexts.value;
  const change = (changes: Partial<TimelineFilter>): void => {
    filter.value = { ...filter.value, ...changes };
  };
  const { search, kind, item, failedOnly } = filter.value;
  return (
    <search class={styles.filters}>
      <input
        type="search"
        class={styles.search}
        placeholder={texts.search}
        aria-label={texts.search}
        value={search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
      />
      <Choice
        label={texts.kinds}
        any={texts.anyKind}
        chosen={kind}
        choices={kinds.map((value) => ({ value, title: `${eventTitles.value[value]} · ${value}` }))}
        onChoose={(next) => change({ kind: next })}
      />
      <Choice
        label={texts.items}
        any={texts.anyItem}
        chosen={item}
        choices={items
          .slice(-ITEMS_MAX)
          .map((value) => ({ value, title: [texts.item(value), steps.get(value)].filter(Boolean).join(' · ') }))}
        onChoose={(next) => change({ item: next })}
      />
      <label>
        <input
          type="checkbox"
          checked={failedOnly}
          onChange={({ currentTarget }) => change({ failedOnly: currentTarget.checked })}
        />{' '}
        {texts.failedOnly}
      </label>
      <span class={styles.shown} aria-live="polite">
        {texts.shown(shown, all)}
      </span>
    </search>
  );
};
