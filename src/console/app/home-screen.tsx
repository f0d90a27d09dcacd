import { useEffect, useMemo, useRef } from 'preact/hooks';
import { randomId } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getMe } from '../api/routes.ts';
import { OutgoingTurns } from '../chat/chat.tsx';
import { Composer } from '../chat/composer.tsx';
import { createOutgoing } from '../chat/outgoing.ts';
import { Button } from '../design/button.tsx';
import { Inbox } from '../inbox/inbox.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import styles from './app.module.css';
import { openDraft } from './remembered.ts';
import { navigate, sessionHref } from './route.ts';
import { shell } from './texts.ts';

/** The model that answers; without one, how to get one. */
const Answering = () => {
  const model = useResource((signal) => getMe(signal), []).loaded.value.value?.model;
  if (model === undefined) return <p class={`small muted ${styles.answering}`}> </p>;
  if (model !== 'offline') return <p class={`small muted ${styles.answering}`}>{shell.value.answeredBy(model)}</p>;
  return (
    <details class={`small muted ${styles.answering}`}>
      <summary>{shell.value.answeredOffline}</summary>
      <p>{shell.value.setKey}</p>
      <pre class="inset">ANTHROPIC_API_KEY=sk-ant-… npx tripact serve</pre>
    </details>
  );
};

const HOME_DRAFT = 'home';

/** Length of a new session's name, behind its prefix. */
const NAME_CHARS = 8;

/** Where a session begins: a field, what waits for the user, and the sessions that there are. */
export const HomeScreen = () => {
  // The name stays over a reload, so that a turn that was sent and not acknowledged is sent again.
  const name = openDraft('home.session');
  const isGone = useRef(false);
  const outgoing = useMemo(() => {
    const session = name.text.peek() || `chat-${randomId(NAME_CHARS)}`;
    name.set(session);
    return createOutgoing(session, () => {
      name.set('');
      if (!isGone.current) navigate(sessionHref(session));
    });
  }, []);
  useEffect(
    () => () => {
      isGone.current = true;
      outgoing.stop();
    },
    [outgoing],
  );
  const write = (example: string): void => {
    openDraft(HOME_DRAFT).set(example);
    document.getElementById('message')?.focus();
  };
  return (
    <main class={styles.home}>
      <section class={`stack ${styles.front}`}>
        <h2>{shell.value.ask}</h2>
        <p class="muted">{shell.value.whatItIs}</p>
        <Composer draft={HOME_DRAFT} mode="goal" send={outgoing.send} isFocused />
        <OutgoingTurns outgoing={outgoing} />
        <div class={`line ${styles.examples}`}>
          {[shell.value.example1, shell.value.example2, shell.value.example3].map((example) => (
            <Button key={example} onClick={() => write(example)}>
              {example}
            </Button>
          ))}
        </div>
        <Answering />
      </section>
      <nav class={styles.lists} aria-label={shell.value.lists}>
        <div class="card column">
          <Inbox session={null} />
        </div>
        <div class="card column">
          <SessionList session={null} />
        </div>
      </nav>
    </main>
  );
};
