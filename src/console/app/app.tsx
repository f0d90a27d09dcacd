import { isKeyNeeded } from '../api/key.ts';
import { Empty } from '../design/notice.tsx';
import styles from './app.module.css';
import { Header } from './header.tsx';
import { HomeScreen } from './home-screen.tsx';
import { KeyScreen } from './key-screen.tsx';
import { lazy } from './lazy.tsx';
import { focusContent } from './page.ts';
import { route } from './route.ts';
import { SessionScreen } from './session-screen.tsx';
import { keysDialog } from './shortcuts.ts';
import { shell } from './texts.ts';

const CompareScreen = lazy(async () => (await import('../compare/compare-screen.tsx')).CompareScreen);
const TraceFileScreen = lazy(async () => (await import('../trace-file/trace-file-screen.tsx')).TraceFileScreen);
const SystemScreen = lazy(async () => (await import('../system/system-screen.tsx')).SystemScreen);

const KeysDialog = lazy(async () => (await import('./keys-dialog.tsx')).KeysDialog);

const Screen = () => {
  const shown = route.value;
  if (isKeyNeeded.value) return <KeyScreen />;
  switch (shown.page) {
    case 'home':
      return <HomeScreen />;
    case 'session':
      return <SessionScreen session={shown.session} chosen={shown.task} />;
    case 'compare':
      return (
        <main class={styles.screen}>
          <CompareScreen />
        </main>
      );
    case 'trace':
      return (
        <main class={styles.screen}>
          <TraceFileScreen />
        </main>
      );
    case 'system':
      return (
        <main class={styles.screen}>
          <SystemScreen />
        </main>
      );
    case 'unknown':
      return (
        <main class={styles.screen}>
          <Empty title={shell.value.unknownPage} />
        </main>
      );
    default:
      return shown satisfies never;
  }
};

/** The console. */
export const App = () => (
  <div class={styles.app}>
    <button type="button" class={styles.skip} onClick={focusContent}>
      {shell.value.skip}
    </button>
    <Header />
    <Screen />
    {keysDialog.value !== null && <KeysDialog />}
  </div>
);
