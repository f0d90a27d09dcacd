import { useEffect } from 'preact/hooks';
import { giveKey, isOnline, keyNeed } from '../api/request.ts';
import { Button } from '../design/button.tsx';
import { FocusedInput, Form } from '../design/form.tsx';
import { Boundary, Empty, lazy } from '../design/loaded.tsx';
import { Separator } from '../design/separator.tsx';
import { HomeScreen } from '../home/home-screen.tsx';
import { ItemCard } from '../inbox/inbox.tsx';
import { followWaiting } from '../inbox/waiting.ts';
import { SessionList } from '../list/session-list.tsx';
import { listPlace, openList } from '../state/list-place.ts';
import { remembered } from '../state/remembered.ts';
import { HOME, route } from '../state/route.ts';
import { keysDialog, openNewSession } from '../state/shortcuts.ts';
import { isPhone } from '../state/window.ts';
import { shell } from '../text/shell.ts';
import styles from './app.module.css';
import { Notices } from './notices.tsx';
import { focusContent } from './page.ts';
import { KeysButton, LanguageButton, Me, ThemeButton } from './preferences.tsx';
import { Rail } from './rail.tsx';

/** Asks for an API key if the service requires one. Only this tab's memory keeps it. */
const KeyScreen = () => (
  <Form
    class={`card stack ${styles.key}`}
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

const SessionScreen = lazy(async () => (await import('../session/session-screen.tsx')).SessionScreen);

/** Begins to load the code of the screen that the address names. Whoever shows it reports what fails. */
export const loadScreen = (): void => {
  const { page } = route.peek();
  const part = page === 'session' ? SessionScreen : page === 'home' ? ItemCard : null;
  part?.load().catch(() => {});
};

const SystemScreen = lazy(async () => (await import('../system/system-screen.tsx')).SystemScreen);

/** The system screen. On a phone, whose rail has no room for it, with what is the browser's own. */
const SystemPage = () => (
  <div class={styles.system}>
    <div class={styles.ofService}>
      <SystemScreen />
    </div>
    {isPhone.value && (
      <section class={`line padded ${styles.own}`} aria-label={shell.value.thisBrowser}>
        <Me />
        <ThemeButton />
        <LanguageButton />
        <KeysButton />
      </section>
    )}
  </div>
);

/** Beside the list, until a session is chosen. */
const NothingChosen = () => (
  <Empty title={shell.value.choose}>
    <p>{shell.value.chooseHint}</p>
    <Button onClick={openNewSession}>{shell.value.newSession}</Button>
  </Empty>
);

const pages = {
  sessions: NothingChosen,
  compare: lazy(async () => (await import('../compare/compare-screen.tsx')).CompareScreen),
  reruns: lazy(async () => (await import('../reruns/reruns-screen.tsx')).RerunsScreen),
  trace: lazy(async () => (await import('../trace-file/trace-file-screen.tsx')).TraceFileScreen),
  system: SystemPage,
  unknown: () => (
    <Empty title={shell.value.unknownPage}>
      <a href={HOME}>{shell.value.toHome}</a>
    </Empty>
  ),
};

const KeysDialog = lazy(async () => (await import('./keys-dialog.tsx')).KeysDialog);

/** The width of the list, in pixels. */
const LIST = { initial: 300, min: 220, max: 480 };

const listWidth = remembered<string>('width.list', '');

const List = ({ place }: { place: 'beside' | 'over' | 'alone' }) => {
  const shown = route.value;
  return (
    <nav class={styles.list} data-place={place} aria-label={shell.value.lists}>
      <Boundary>
        <SessionList session={shown.page === 'session' ? shown.session : null} />
      </Boundary>
      {place === 'beside' && (
        <Separator
          label={shell.value.resizeList}
          width={listWidth}
          initial={() => LIST.initial}
          min={LIST.min}
          max={LIST.max}
          of="before"
        />
      )}
    </nav>
  );
};

/** The list where there is room for it, or where it was opened; a press beside that closes it. */
const ListBeside = () => {
  const place = listPlace.value;
  if (keyNeed.value !== null || place === 'none' || place === 'alone') return null;
  return (
    <>
      {place === 'over' && <div class={styles.behind} onPointerDown={() => openList(false)} />}
      <List place={place} />
    </>
  );
};

const Screen = () => {
  const shown = route.value;
  const isKeyNeeded = keyNeed.value !== null;
  if (listPlace.value === 'alone' && !isKeyNeeded)
    return (
      <main class={styles.bare}>
        <List place="alone" />
      </main>
    );
  if (shown.page === 'home' && !isKeyNeeded) return <HomeScreen />;
  if (shown.page === 'session' && !isKeyNeeded) return <SessionScreen session={shown.session} chosen={shown.task} />;
  if (isKeyNeeded || shown.page === 'home' || shown.page === 'session')
    return (
      <main class={`column ${styles.bare}`}>
        <KeyScreen />
      </main>
    );
  const Page = pages[shown.page];
  return (
    <main class={shown.page === 'trace' ? styles.bare : styles.page}>
      <Page />
    </main>
  );
};

/** Says that the service is gone. A session's own line says the same of its feed. */
const Offline = () => (
  <p class={styles.offline} role="status">
    {!isOnline.value && route.value.page !== 'session' && <span>{shell.value.offline}</span>}
  </p>
);

/** The console: the rail, the list, and a screen. */
export const App = () => {
  useEffect(followWaiting, [keyNeed.value === null]);
  const width = listWidth.value === '' ? {} : { '--list': `${listWidth.value}px` };
  return (
    <div class={styles.app} data-list={listPlace.value} data-page={route.value.page} style={width}>
      <Button kind="primary" class={styles.skip} onClick={focusContent}>
        {shell.value.skip}
      </Button>
      <header class="visually-hidden">
        <h1>{shell.value.console}</h1>
      </header>
      <Boundary>
        <Rail />
      </Boundary>
      <ListBeside />
      <div class={styles.screen}>
        <Boundary key={route.value.page}>
          <Screen />
        </Boundary>
      </div>
      <Offline />
      <Notices />
      {keysDialog.value !== null && (
        <Boundary>
          <KeysDialog />
        </Boundary>
      )}
    </div>
  );
};
