import type { FactView } from '../../../contracts/http.ts';
import { useChange } from '../api/resource.ts';
import { addFact, deleteFact, listMemory } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import design from '../design/design.module.css';
import { Empty, Refusal } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

const Facts = ({ facts, reload }: { facts: readonly FactView[]; reload: () => void }) => {
  const { problem, change } = useChange(reload);
  const add = async (form: HTMLFormElement): Promise<void> => {
    if (await change(() => addFact(String(new FormData(form).get('fact'))))) form.reset();
  };
  return (
    <div class={styles.part}>
      <form
        class={design.buttons}
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget);
        }}
      >
        <input name="fact" aria-label={texts.value.fact} placeholder={texts.value.fact} required />
        <Button type="submit">{texts.value.remember}</Button>
      </form>
      <Refusal error={problem.value} />
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
                <td class={design.buttons}>
                  <Button kind="danger" onClick={() => void change(() => deleteFact(id))}>
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
