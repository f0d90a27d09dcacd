import { useRef } from 'preact/hooks';
import type { PlanEdit } from '../../../contracts/event.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { Button } from '../design/button.tsx';
import { texts } from './texts.ts';

type Item = TaskView['plan'][number];

/** True for an item that is left to do, which may be edited. */
export const isLeft = (item: Item | undefined): boolean =>
  item?.status === 'not_started' || item?.status === 'in_progress';

/** Makes edits of the plan, and resolves to whether they were made. */
export type EditPlan = (edits: PlanEdit[]) => Promise<boolean>;

interface StepFormProps {
  /** The step to begin with. */
  step?: string;
  label: string;
  button: string;
  /** Takes the written step; it is cleared when that resolves to true. */
  save: (step: string) => Promise<boolean>;
}

/** A field for an item's step. */
export const StepForm = ({ step = '', label, button, save }: StepFormProps) => {
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const written = String(new FormData(form).get('step')).trim();
    if (await save(written)) form.reset();
  };
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <input
        name="step"
        class="fill"
        aria-label={label}
        placeholder={label}
        defaultValue={step}
        required
        pattern=".*\S.*"
      />
      <Button type="submit">{button}</Button>
    </form>
  );
};

/** An item that is left to do: its step changed, moved among those, or taken out. Escape closes it. */
export const ItemEditor = ({ plan, index, edit }: { plan: readonly Item[]; index: number; edit: EditPlan }) => {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (ref.current !== null) ref.current.open = false;
    ref.current?.querySelector('summary')?.focus();
  };
  const change = async (edits: PlanEdit[]): Promise<boolean> => {
    const isMade = await edit(edits);
    // The row may have been moved within the page, which takes the focus away.
    if (isMade) setTimeout(close);
    return isMade;
  };
  const move = (by: 1 | -1, label: string) => (
    <Button
      disabled={!isLeft(plan[index + by])}
      onClick={() => void change([{ kind: 'move', from: index, to: index + by }])}
    >
      {label}
    </Button>
  );
  return (
    <details
      ref={ref}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <summary>{texts.value.edit}</summary>
      <StepForm
        step={plan[index]?.step ?? ''}
        label={texts.value.step}
        button={texts.value.change}
        save={(step) =>
          change([
            { kind: 'add', step, index },
            { kind: 'drop', index: index + 1 },
          ])
        }
      />
      <div class="line">
        {move(-1, texts.value.up)}
        {move(1, texts.value.down)}
        <Button kind="danger" onClick={() => void change([{ kind: 'drop', index }])}>
          {texts.value.takeOut}
        </Button>
      </div>
    </details>
  );
};
