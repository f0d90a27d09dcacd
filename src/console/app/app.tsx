import { giveKey, keyNeed } from '../api/request.ts';
import { Button } from '../design/button.tsx';
import { FocusedInput, Form } from '../design/form.tsx';
import { Boundary, Empty, lazy } from '../design/loaded.tsx';
import { route } from '../state/route.ts';
import { keysDialog } from '../state/shortcuts.ts';
import { shell } from '../text/shell.ts';
import styles from './app.module.css';
import { Header } from './header.tsx';
import { HomeScreen } from './home-screen.tsx';
import { focusContent } from './page.ts';
import { SessionScreen } from './session-screen.tsx';

/** Asks for an API key if the service requires one. Only this tab's memory keeps it. */
const KeyScreen = () => (
  <Form
    class={`stack padded ${styles.key}`}
    submit={shell.value.keyUse}
    save={async ({ key = '' }) => {
      if (key.trim() !== '') giveKey(key.trim());
    }}
  >
    <h2>{shell.value.keyTitle}</h2>
    <p id="key-hint" class="muted">
      {shell.value.keyHint}
    </p>
    {keyNeed.value !== 'missing' && (
      <p class="refusal" role="alert">
        {keyNeed.value === 'front_end' ? shell.value.keyOfFrontEnd : shell.value.keyRefused}
      </p>
    )}
    <FocusedInput
      name="key"
      type="password"
      autocomplete="off"
      spellcheck={false}
      required
      aria-label={shell.value.keyTitle}
      aria-describedby="key-hint"
    />
  </Form>
);

const pages = {
  compare: lazy(async () => (await import('../compare/compare-screen.tsx')).CompareScreen),
  trace: lazy(async () => (await import('../trace-file/trace-file-screen.tsx')).TraceFileScreen),
  system: lazy(async () => (await import('../system/system-screen.tsx')).SystemScreen),
  unknown: () => <Empty title={shell.value.unknownPage} />,
};

const KeysDialog = lazy(async () => (await import('./keys-dialog.tsx')).KeysDialog);

const Screen = () => {
  const shown = route.value;
  const isKeyNeeded = keyNeed.value !== null;
  if (shown.page === 'home' && !isKeyNeeded) return <HomeScreen />;
  if (shown.page === 'session' && !isKeyNeeded) return <SessionScreen session={shown.session} chosen={shown.task} />;
  const Page = isKeyNeeded || shown.page === 'home' || shown.page === 'session' ? KeyScreen : pages[shown.page];
  return (
    <main class={styles.screen}>
      <Page />
    </main>
  );
};

/** The console. */
export const App = () => (
  <div class={styles.app}>
    <Button kind="primary" class={styles.skip} onClick={focusContent}>
      {shell.value.skip}
    </Button>
    <Boundary>
      <Header />
    </Boundary>
    <Boundary key={route.value.page}>
      <Screen />
    </Boundary>
    {keysDialog.value !== null && (
      <Boundary>
        <KeysDialog />
      </Boundary>
    )}
  </div>
);
