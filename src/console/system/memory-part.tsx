import { useSignal } from '@preact/signals';
import type { FactView } from '../../../contracts/http.ts';
import { addFact, deleteFact, listMemory } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

const Facts = ({ facts, reload }: { facts: readonly FactView[]; reload: () => void }) => {
  const text = useSignal('');
  const problem = useSignal<string | null>(null);
  const change = async (made: Promise<unknown>): Promise<void> => {
    problem.value = null;
    try {
      await made;
      text.value = '';
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
    reload();
  };
  return (
    <div class={styles.part}>
      <form
        class={styles.buttons}
        onSubmit={(event) => {
          event.preventDefault();
          void change(addFact(text.value));
        }}
      >
        <input
          aria-label={texts.value.fact}
          placeholder={texts.value.fact}
          required
          value={text}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <Button type="submit">{texts.value.remember}</Button>
      </form>
      {problem.value !== null && (
        <p class={styles.error} role="alert">
          {problem.value}
        </p>
      )}
      {facts.length === 0 ? (
        <Empty title={texts.value.noFacts}>
          <p>{texts.value.noFactsHint}</p>
        </Empty>
      ) : (
        <table class={styles.table}>
          <tbody>
            {facts.map(({ id, text: fact, created_at }) => (
              <tr key={id}>
                <th scope="row">{fact}</th>
                <td>
                  <Time at={created_at} />
                </td>
                <td class={styles.buttons}>
                  <Button kind="danger" onClick={() => void change(deleteFact(id))}>
                    {texts.value.forget}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
};

/** The list of facts that are remembered of the user over sessions. */
export const MemoryPart = () => (
  <LoadedPart load={listMemory}>{(facts, reload) => <Facts facts={facts} reload={reload} />}</LoadedPart>
);
