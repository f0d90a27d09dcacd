import { useRef } from 'preact/hooks';
import type { PlanEdit } from '../../../contracts/event.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { useChange } from '../api/resource.ts';
import { Button } from '../design/button.tsx';
import { Form } from '../design/form.tsx';
import { Icon } from '../design/icon.tsx';
import { Refusal } from '../design/loaded.tsx';
import styles from './task.module.css';
import { texts } from './texts.ts';

type Item = TaskView['plan'][number];

/** True for an unfinished item, which can be edited. */
export const isLeft = (item: Item | undefined): boolean =>
  item?.status === 'not_started' || item?.status === 'in_progress';

/** Makes edits of the plan. Rejects if they are not possible. */
export type EditPlan = (edits: PlanEdit[]) => Promise<unknown>;

interface StepFormProps {
  /** The initial step. */
  step?: string;
  label: string;
  submit: string;
  save: (step: string) => Promise<unknown>;
}

/** A field for an item's step. */
export const StepForm = ({ step = '', label, submit, save }: StepFormProps) => (
  <Form class="line" kind="normal" submit={submit} save={(fields) => save(fields.step?.trim() ?? '')}>
    <input
      name="step"
      class="fill"
      aria-label={label}
      placeholder={label}
      defaultValue={step}
      required
      pattern=".*\S.*"
    />
  </Form>
);

/** Edits an unfinished item: changes its step, moves it among the others, or drops it. Escape closes the editor. */
export const ItemEditor = ({ plan, index, edit }: { plan: readonly Item[]; index: number; edit: EditPlan }) => {
  const ref = useRef<HTMLDetailsElement>(null);
  const { problem, change } = useChange();
  const close = (): void => {
    if (ref.current !== null) ref.current.open = false;
    ref.current?.querySelector('summary')?.focus();
  };
  const make = async (edits: PlanEdit[]): Promise<void> => {
    await edit(edits);
    // The row may have moved within the page, which takes the focus away.
    setTimeout(close);
  };
  const button = (label: string, edits: PlanEdit, isDisabled = false) => (
    <Button disabled={isDisabled} onClick={() => void change(() => make([edits]))}>
      {label}
    </Button>
  );
  const move = (label: string, to: number) => button(label, { kind: 'move', from: index, to }, !isLeft(plan[to]));
  return (
    <details
      ref={ref}
      class={styles.editor}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <summary title={texts.value.edit}>
        <Icon name="rename" />
        <span class="visually-hidden">{texts.value.edit}</span>
      </summary>
      <StepForm
        step={plan[index]?.step ?? ''}
        label={texts.value.step}
        submit={texts.value.change}
        save={(step) =>
          make([
            { kind: 'add', step, index },
            { kind: 'drop', index: index + 1 },
          ])
        }
      />
      <div class="line">
        {move(texts.value.up, index - 1)}
        {move(texts.value.down, index + 1)}
        {button(texts.value.takeOut, { kind: 'drop', index })}
        <Refusal error={problem.value} />
      </div>
    </details>
  );
};
