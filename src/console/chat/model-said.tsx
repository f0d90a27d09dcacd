import { useResource } from '../api/resource.ts';
import { getCalls, listCalls } from '../api/service-routes.ts';
import { Failure, Loading } from '../design/notice.tsx';
import styles from './chat.module.css';
import { texts } from './texts.ts';

/** The model's last words to a task, or why it said nothing, word for word. */
export const ModelSaid = ({ task }: { task: string }) => {
  const said = useResource(
    async (signal) => {
      const last = (await listCalls(task, signal)).at(-1);
      return last === undefined ? [] : getCalls(task, last.effect_id, signal);
    },
    [task],
  );
  const { value, error } = said.loaded.value;
  if (value === undefined) return error === null ? <Loading /> : <Failure error={error} onRetry={said.reload} />;
  if (value.length === 0) return <p class={styles.hint}>{texts.value.notKept}</p>;
  return value.map(({ answer, failure }, index) => (
    <pre key={index} class={styles.input} dir="auto">
      {answer ?? failure}
    </pre>
  ));
};
