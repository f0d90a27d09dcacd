import type { Signal } from '@preact/signals';
import type { ComponentChildren, ComponentProps } from 'preact';
import type { Rating } from '../../../contracts/feedback.ts';
import type { ToolView } from '../../../contracts/http.ts';
import { useResource } from '../api/resource.ts';
import { allItems } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/fields.tsx';
import { Field } from '../design/form.tsx';
import { Icon } from '../design/icon.tsx';
import { Popover } from '../design/popover.tsx';
import { formatCost } from '../text/numbers.ts';
import { shared } from '../text/shared.ts';
import { type StateName, states } from '../text/states.ts';
import { COSTS, DAYS, filter, isAmount, RATINGS, STATES } from './filter.ts';
import styles from './list.module.css';
import { texts } from './texts.ts';

const daysTitle = (days: string): string => texts.value[days === '1' ? 'today' : days === '7' ? 'days7' : 'days30'];

/** A cost that a session has at least; `currency` null: it is not known which. */
const costTitle = (cost: string, currency: string | null): string =>
  texts.value.costFrom(currency === null ? cost : formatCost(Number(cost), currency));

/** A choice below its label. */
const Labelled = (choice: ComponentProps<typeof Choice>) => (
  <Field title={choice.label}>
    <Choice {...choice} />
  </Field>
);

/** The tools that models can call, and the chosen one even if no model can call it any more. */
const ToolChoice = () => {
  const { value: tools = [] } = useResource((signal) => allItems<ToolView>('/v1/tools', 'tools', signal), []).loaded
    .value;
  const names = new Set(tools.flatMap(({ name, for_models }) => (for_models ? [name] : [])));
  if (filter.tool.value !== '') names.add(filter.tool.value);
  return (
    <Labelled
      of={filter.tool}
      label={texts.value.tool}
      any={texts.value.anyTool}
      choices={[...names].toSorted().map((name) => ({ value: name, title: name }))}
    />
  );
};

/** Some costs to choose from, and a field for another one. */
const CostChoice = ({ currency }: { currency: string | null }) => {
  const { cost } = filter;
  const offered = new Set<string>(COSTS);
  if (cost.value !== '') offered.add(cost.value);
  return (
    <>
      <Labelled
        of={cost}
        label={texts.value.cost}
        any={texts.value.anyCost}
        choices={[...offered].map((value) => ({ value, title: costTitle(value, currency) }))}
      />
      <input
        inputMode="decimal"
        aria-label={texts.value.otherCost}
        placeholder={texts.value.otherCost}
        value={COSTS.some((each) => each === cost.value) ? '' : cost.value}
        onChange={({ currentTarget: field }) => {
          const typed = field.value.trim().replace(',', '.');
          if (typed === '' || isAmount(typed)) cost.value = typed;
          else field.value = cost.value;
        }}
      />
    </>
  );
};

/** Facts about the listed sessions that filters need. */
interface Listed {
  /** The currency of their costs; null: no cost is known. */
  currency: string | null;
}

/** The button that opens the filters. */
export const Filters = ({ currency }: Listed) => {
  const { state, days, rating, tool, cost } = filter;
  return (
    <Popover
      icon="filter"
      title={texts.value.filter}
      label={texts.value.filter}
      aria-pressed={[state, days, rating, tool, cost].some(({ value }) => value !== '')}
      content={() => (
        <div class={styles.filters}>
          <Labelled
            of={state}
            label={shared.value.state}
            any={texts.value.anyState}
            choices={STATES.map((value) => ({ value, title: states.value[value] }))}
          />
          <Labelled
            of={days}
            label={texts.value.date}
            any={texts.value.anyDate}
            choices={DAYS.map((value) => ({ value, title: daysTitle(value) }))}
          />
          <Labelled
            of={rating}
            label={texts.value.rating}
            any={texts.value.anyRating}
            choices={RATINGS.map((value) => ({ value, title: texts.value[value] }))}
          />
          <ToolChoice />
          {(currency !== null || cost.value !== '') && <CostChoice currency={currency} />}
        </div>
      )}
    />
  );
};

/** An active filter. A click removes it. */
const Chip = ({ of, children }: { of: Signal<string>; children: ComponentChildren }) =>
  of.value === '' ? null : (
    <Button
      size="small"
      onClick={() => {
        of.value = '';
      }}
    >
      <span class="clipped">{children}</span> <Icon name="close" />
    </Button>
  );

/** The active filters; nothing where there are none. */
export const Chips = ({ currency }: Listed) => {
  const { state, days, rating, tool, cost } = filter;
  if ([state, days, rating, tool, cost].every(({ value }) => value === '')) return null;
  return (
    <div class={`line ${styles.chips}`}>
      <Chip of={state}>{texts.value.chosenOf(shared.value.state, states.value[state.value as StateName])}</Chip>
      <Chip of={days}>{daysTitle(days.value)}</Chip>
      <Chip of={rating}>{texts.value[rating.value as Rating]}</Chip>
      <Chip of={tool}>{texts.value.chosenOf(texts.value.tool, tool.value)}</Chip>
      <Chip of={cost}>{texts.value.chosenOf(texts.value.cost, costTitle(cost.value, currency))}</Chip>
    </div>
  );
};
