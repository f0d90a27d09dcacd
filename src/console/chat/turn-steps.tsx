import { useSignal } from '@preact/signals';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { LoadedPart } from '../design/loaded.tsx';
import { FoldLine, StepLines, WorkingLine } from './step-lines.tsx';
import { stepTexts } from './step-texts.ts';
import { type Step, stepsByTurn } from './steps.ts';
import { createTurnEntries, readPast, type TurnEntries } from './turn-entries.ts';

const stepsIn = (entries: TurnEntries['entries']): Step[] => [...stepsByTurn(entries.value).values()].flat();

/** The steps of a turn whose task is not the one shown, read on request. */
const ReadSteps = ({ turn: { id, task_id } }: { turn: TurnView }) => {
  const isOpen = useSignal(false);
  return (
    <div>
      <FoldLine steps={null} isOpen={isOpen} />
      {isOpen.value && (
        <LoadedPart
          class=""
          load={async (signal) => {
            const read = createTurnEntries(task_id);
            await readPast(id, read, signal);
            return stepsIn(read.entries);
          }}
        >
          {(steps) => <StepLines steps={steps} isLive={false} canInspect={false} />}
        </LoadedPart>
      )}
    </div>
  );
};

/** All steps below one line that says how many there are. */
const FoldedSteps = ({ steps }: { steps: readonly Step[] }) => {
  const isOpen = useSignal(false);
  return (
    <div>
      <FoldLine steps={steps} isOpen={isOpen} />
      {isOpen.value && <StepLines steps={steps} isLive={false} canInspect={true} />}
    </div>
  );
};

/** The data about a turn's steps. */
export interface KnownSteps {
  /** Its steps; null: they are read on request. */
  steps: readonly Step[] | null;
  /** One line stands for all of them. */
  isFolded: boolean;
  /** Running steps count their seconds: nobody looks at the past. */
  isNow: boolean;
}

interface TurnStepsProps extends KnownSteps {
  turn: TurnView;
  /** The running turn's entries; null: it does not run. */
  live: TurnEntries | null;
}

/** While the answer is written, it stands where the call of the model that writes it stood. */
const besideAnswer = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ state, kind }) => state !== 'running' || kind === 'tool');

/** A turn's steps: live, past, or on request. */
export const TurnSteps = ({ turn, live, steps, isFolded, isNow }: TurnStepsProps) => {
  const known = steps ?? (live === null ? null : stepsIn(live.entries));
  if (known === null) return turn.task_id === null ? null : <ReadSteps turn={turn} />;
  if (isFolded && live === null) return known.length === 0 ? null : <FoldedSteps steps={known} />;
  const isWritten = live !== null && live.written.value !== '';
  const shown = isWritten ? besideAnswer(known) : known;
  const isIdle = live !== null && !isWritten && !shown.some(({ state }) => state === 'running');
  return (
    <>
      <StepLines steps={shown} isLive={isNow} canInspect={steps !== null} />
      {isIdle && <WorkingLine title={stepTexts.value.working} />}
    </>
  );
};
