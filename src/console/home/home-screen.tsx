import { randomId } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getMe } from '../api/routes.ts';
import { Composer, focusComposer } from '../chat/composer.tsx';
import { outgoingOf } from '../chat/outgoing.ts';
import { Button } from '../design/button.tsx';
import { Boundary } from '../design/loaded.tsx';
import { Inbox } from '../inbox/inbox.tsx';
import { openDraft } from '../state/remembered.ts';
import { navigate, sessionHref } from '../state/route.ts';
import { shell } from '../text/shell.ts';
import styles from './home.module.css';

/** The model that answers; without one, how to get one. */
const Answering = () => {
  const model = useResource((signal) => getMe(signal), []).loaded.value.value?.model;
  if (model !== 'offline') return <p>{model === undefined ? ' ' : shell.value.answeredBy(model)}</p>;
  return (
    <details>
      <summary>{shell.value.answeredOffline}</summary>
      <p>{shell.value.setKey}</p>
      <pre class="inset">ANTHROPIC_API_KEY=sk-ant-… npx tripact serve</pre>
    </details>
  );
};

const HOME_DRAFT = 'home';

/** Length of a new session's name after its prefix. */
const NAME_CHARS = 8;

/** The start screen: a field for a new session, the inbox, and the sessions. */
export const HomeScreen = () => {
  const write = (example: string): void => {
    openDraft(HOME_DRAFT).value = example;
    focusComposer();
  };
  return (
    <main class={styles.home}>
      <section class={`stack ${styles.front}`}>
        <h2>{shell.value.ask}</h2>
        <p class="muted">{shell.value.whatItIs}</p>
        <Composer
          draft={HOME_DRAFT}
          mode="goal"
          isFocused
          send={(body, files) => {
            const session = `chat-${randomId(NAME_CHARS)}`;
            outgoingOf(session).send(body, { files });
            navigate(sessionHref(session));
          }}
        />
        <div class={`line ${styles.examples}`}>
          {[shell.value.example1, shell.value.example2, shell.value.example3].map((example) => (
            <Button key={example} onClick={() => write(example)}>
              {example}
            </Button>
          ))}
        </div>
        <div class="small muted">
          <Answering />
        </div>
      </section>
      <div class={styles.inbox}>
        <Boundary>
          <Inbox />
        </Boundary>
      </div>
    </main>
  );
};
