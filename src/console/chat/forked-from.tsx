import { useForkOrigin } from '../app/fork-origin.ts';
import { Link } from '../app/link.tsx';
import { taskHref } from '../app/parse-route.ts';
import styles from './chat.module.css';
import { texts } from './texts.ts';

/** Says what a forked conversation goes on from. */
export const ForkedFrom = ({ session }: { session: string }) => {
  const origin = useForkOrigin(session).value.value ?? null;
  if (origin === null) return null;
  return (
    <p class={styles.note}>
      <span>{texts.value.forkedFrom}</span>
      <Link href={taskHref(origin.session, origin.task, { seq: origin.seq })}>{origin.session}</Link>
      <span>{texts.value.entry(origin.seq)}</span>
    </p>
  );
};
