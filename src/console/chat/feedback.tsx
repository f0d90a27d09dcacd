import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Feedback, FeedbackRequest, Rating } from '../../../contracts/feedback.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { useChange } from '../api/resource.ts';
import { removeFeedback, sendFeedback } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { bound } from '../design/fields.tsx';
import { Refusal } from '../design/loaded.tsx';
import { openDraft } from '../state/remembered.ts';
import { shared } from '../text/shared.ts';
import styles from './feedback.module.css';
import { texts } from './texts.ts';

/** Longest note that the API takes, in characters. */
const NOTE_CHARS_MAX = 2_000;

interface NoteFormProps {
  title: string;
  draft: ReturnType<typeof openDraft>;
  save: (note: string) => void;
  cancel: () => void;
}

/** The field for a note. Enter saves; Shift+Enter starts a new line; Escape leaves it as it was. */
const NoteForm = ({ title, draft, save, cancel }: NoteFormProps) => {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class={`stack ${styles.form}`}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        save(draft.value.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          cancel();
        } else if (event.key === 'Enter' && event.target === field.current && !event.shiftKey && !event.isComposing) {
          event.preventDefault();
          save(draft.value.trim());
        }
      }}
    >
      <label class="stack">
        {title}
        <textarea ref={field} rows={2} dir="auto" maxLength={NOTE_CHARS_MAX} {...bound(draft)} />
      </label>
      <div class="buttons">
        <Button size="small" onClick={cancel}>
          {shared.value.cancel}
        </Button>
        <Button size="small" type="submit">
          {shared.value.save}
        </Button>
      </div>
    </form>
  );
};

interface NoteProps {
  feedback: Feedback;
  edit: () => void;
  remove: () => void;
}

/** The note that goes with a thumb; for a bad answer without one, the way to write it. */
const Note = ({ feedback: { rating, note }, edit, remove }: NoteProps) => {
  if (note !== undefined)
    return (
      <div class={styles.said}>
        <p class="as-written fill" dir="auto">
          {note}
        </p>
        <Button icon="rename" size="small" title={texts.value.editNote} onClick={edit} />
        <Button icon="delete" size="small" title={texts.value.removeNote} onClick={remove} />
      </div>
    );
  return rating === 'down' ? (
    <Button class={styles.ask} kind="quiet" size="small" icon="rename" onClick={edit}>
      {texts.value.wrong}
    </Button>
  ) : null;
};

/** Thumbs for an answer, beside what one does with it, and below them the note that goes with one. */
export const AnswerFeedback = ({ turn, rated }: { turn: TurnView; rated: (turn: TurnView) => void }) => {
  const { id, feedback } = turn;
  const draft = openDraft(`note.${id}`);
  const isOpen = useSignal(draft.peek() !== '');
  const down = useRef<HTMLDivElement>(null);
  const { problem, change } = useChange();
  const give = (said: FeedbackRequest | null): Promise<boolean> =>
    change(async () => {
      if (said !== null) return rated(await sendFeedback(id, said));
      await removeFeedback(id);
      const { feedback: _, ...bare } = turn;
      rated(bare);
    });
  const close = (): void => {
    isOpen.value = false;
    draft.value = '';
    down.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  };
  const open = (): void => {
    draft.value = feedback?.note ?? '';
    isOpen.value = true;
  };
  const press = async (rating: Rating): Promise<void> => {
    if (feedback?.rating === rating) {
      close();
      await give(null);
    } else if (await give({ rating })) isOpen.value = rating === 'down';
  };
  const save = async (note: string): Promise<void> => {
    const rating = feedback?.rating ?? 'down';
    if (await give(note === '' ? { rating } : { rating, note })) close();
  };
  const thumb = (rating: Rating, title: string) => (
    <Button
      icon={`thumb-${rating}`}
      size="small"
      title={title}
      aria-pressed={feedback?.rating === rating}
      onClick={() => void press(rating)}
    />
  );
  return (
    <>
      <div ref={down} class={styles.thumbs} data-given={feedback !== undefined || undefined}>
        {thumb('up', texts.value.goodAnswer)}
        {thumb('down', texts.value.badAnswer)}
      </div>
      <div class={styles.below}>
        {isOpen.value ? (
          <NoteForm
            title={feedback?.rating === 'up' ? texts.value.right : texts.value.wrong}
            draft={draft}
            save={(note) => void save(note)}
            cancel={close}
          />
        ) : (
          feedback !== undefined && (
            <Note feedback={feedback} edit={open} remove={() => void give({ rating: feedback.rating })} />
          )
        )}
        <Refusal error={problem.value} />
      </div>
    </>
  );
};
