import type { FileView } from '../../../contracts/http.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { Icon } from '../design/icon.tsx';
import { FileCards } from '../files/file-cards.tsx';
import styles from './answer.module.css';
import { sourcesOf } from './sources.ts';
import type { Step } from './steps.ts';
import { texts } from './texts.ts';
import { writtenIn } from './written-files.ts';

const Sources = ({ addresses }: { addresses: readonly string[] }) => (
  <section class={`${styles.sources} small`} aria-label={texts.value.sources}>
    <span class="muted">{texts.value.sources}</span>
    <ul>
      {addresses.map((address) => (
        <li key={address}>
          <a href={address} title={address} target="_blank" rel="noopener noreferrer">
            <Icon name="globe" />
            <span class="clipped">{address.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')}</span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);

interface AnswerNotesProps {
  turn: TurnView;
  answer: string;
  /** The steps of its task up to now. */
  steps: readonly Step[];
  /** The files of its session. */
  files: readonly FileView[];
}

/** Below an answer: the files that its task wrote, and the addresses that it names and tools have read. */
export const AnswerNotes = ({ turn, answer, steps, files }: AnswerNotesProps) => {
  const written = writtenIn(files, turn);
  const sources = sourcesOf(answer, steps);
  return (
    <>
      {written.length > 0 && <FileCards session={turn.session_id} files={written} />}
      {sources.length > 0 && <Sources addresses={sources} />}
    </>
  );
};
