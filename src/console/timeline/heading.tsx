import type { TaskHistory } from '../history/task-history.ts';
import type { Place } from './entry-place.ts';
import { timelineTexts } from './texts.ts';
import styles from './timeline.module.css';

/** The title of a part of a task's work; `step`: the plan item's text, null where it is not known yet. */
export const placeTitle = ({ part, item, round }: Place, step: string | null): string => {
  const texts = timelineTexts.value;
  switch (part) {
    case 'planning':
      return texts.planning;
    case 'item':
      return item === null ? texts.noItem : (step ?? texts.item(item));
    case 'replanning':
      return texts.replanning(round);
    case 'verifying':
      return texts.verifying(round);
    default:
      return part satisfies never;
  }
};

interface HeadingProps {
  history: TaskHistory;
  place: Place;
  /** The place in the trace of the first entry below it. */
  index: number;
}

/** The heading of a run of entries: what the task worked at. An item is called by its step's text, with its id beside it. */
export const Heading = ({ history: { fold }, place, index }: HeadingProps) => {
  const folded = fold.value;
  const isFolded = folded !== null && folded.folded.value >= index;
  const step = isFolded ? folded.stepAt(index - 1) : null;
  return (
    <>
      <span class={styles.title} title={step ?? undefined}>
        {placeTitle(place, step)}
      </span>
      {place.item !== null && step !== null && <span class={styles.itemId}>{place.item}</span>}
    </>
  );
};
