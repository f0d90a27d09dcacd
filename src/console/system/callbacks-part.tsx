import type { CallbackView } from '../../../contracts/callback.ts';
import { useChange } from '../api/resource.ts';
import { listCallbacks, resendCallback } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import design from '../design/design.module.css';
import { Empty, Refusal } from '../design/notice.tsx';
import { Time } from '../design/time.tsx';
import { LoadedPart } from './loaded-part.tsx';
import styles from './system.module.css';
import { texts } from './texts.ts';

const Callbacks = ({
  page,
  reload,
}: {
  page: { callbacks: CallbackView[]; next: string | null };
  reload: () => void;
}) => {
  const { problem, change } = useChange(reload);
  if (page.callbacks.length === 0)
    return (
      <Empty title={texts.value.noCallbacks}>
        <p>{texts.value.noCallbacksHint}</p>
      </Empty>
    );
  return (
    <div class={styles.part}>
      <Refusal error={problem.value} />
      <table class={styles.table}>
        <tbody>
          {page.callbacks.map(({ id, type, url, state, attempts, last_error, created_at }) => (
            <tr key={id}>
              <th scope="row">
                <code>{type}</code>
              </th>
              <td>
                {texts.value[state]} · {texts.value.posts(attempts)}
                {last_error !== null && <p class={styles.muted}>{last_error}</p>}
              </td>
              <td>{url ?? texts.value.webhook}</td>
              <td>
                <Time at={created_at} />
              </td>
              <td class={design.buttons}>
                <Button onClick={() => void change(() => resendCallback(id))}>{texts.value.resend}</Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {page.next !== null && <p class={styles.muted}>{texts.value.newestOnly(page.callbacks.length)}</p>}
    </div>
  );
};

/** The callbacks to programs, the newest first; each may be posted again. */
export const CallbacksPart = () => (
  <LoadedPart load={listCallbacks}>{(page, reload) => <Callbacks page={page} reload={reload} />}</LoadedPart>
);
