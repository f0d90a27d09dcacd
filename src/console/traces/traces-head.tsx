import type { ComponentChildren } from 'preact';
import { useIsOperator } from '../api/role.ts';
import { RERUNS, TRACE } from '../state/route.ts';
import { tracesTexts } from './texts.ts';
import styles from './traces.module.css';

interface TracesHeadProps {
  /** The list that is shown. */
  shown: 'tasks' | 'reruns';
  /** At the end of its line. */
  children?: ComponentChildren;
}

/** The two lists of what was recorded: tasks, and for operators those that ran again. */
export const TracesHead = ({ shown, children }: TracesHeadProps) => {
  const isOperator = useIsOperator();
  const words = tracesTexts.value;
  const lists = [
    { name: 'tasks', href: TRACE, title: words.tasks },
    ...(isOperator || shown === 'reruns' ? [{ name: 'reruns', href: RERUNS, title: words.reruns }] : []),
  ];
  return (
    <header class={`bar ${styles.head}`}>
      <nav aria-label={words.title}>
        {lists.map(({ name, href, title }) => (
          <a key={name} class={styles.place} href={href} aria-current={name === shown ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <span class="fill" />
      {children}
    </header>
  );
};
