import { apiKey, isOnline, keyNeed } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getMe } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { HOME, route, SYSTEM, TRACE } from '../state/route.ts';
import { keysDialog } from '../state/shortcuts.ts';
import { chooseLanguage, type Language, language } from '../text/language.ts';
import { shell } from '../text/shell.ts';
import styles from './app.module.css';
import { type Theme, theme, themeTitle } from './page.ts';

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

/** Switches to the next theme. */
const ThemeChoice = () => {
  const change = (): void => {
    theme.value = NEXT[theme.value];
  };
  return <Button icon="theme" title={themeTitle(theme.value)} onClick={change} />;
};

/** Switches to the other language, labelled in that language. */
const LanguageChoice = () => {
  const other: Language = language.value === 'en' ? 'zh' : 'en';
  return (
    <Button kind="quiet" lang={other === 'zh' ? 'zh-Hans' : 'en'} onClick={() => chooseLanguage(other)}>
      {other === 'zh' ? '中文' : 'English'}
    </Button>
  );
};

/** Whose key the page uses, and a way to sign out, which drops everything that the page knew. */
const Me = () => {
  const me = useResource((signal) => getMe(signal), []).loaded.value.value;
  const leave = (): void => {
    sessionStorage.clear();
    location.assign(HOME);
  };
  return (
    <>
      <span class={`small muted ${styles.me}`}>{me !== undefined && `${me.owner} · ${shell.value[me.role]}`}</span>
      <Button kind="quiet" onClick={leave}>
        {shell.value.signOut}
      </Button>
    </>
  );
};

/** The line above all screens. */
export const Header = () => {
  const { page } = route.value;
  const current = (name: string) => (page === name ? 'page' : undefined);
  return (
    <header class={styles.header}>
      <h1 class="visually-hidden">{shell.value.console}</h1>
      <a class={styles.name} href={HOME}>
        Tripact
      </a>
      <a href={TRACE} aria-current={current('trace')}>
        {shell.value.openTrace}
      </a>
      <a href={SYSTEM} aria-current={current('system')}>
        {shell.value.system}
      </a>
      <span class="fill" />
      <span class="refusal" role="status">
        {isOnline.value ? '' : shell.value.offline}
      </span>
      <Button
        icon="keys"
        title={shell.value.shortcuts}
        onClick={() => {
          keysDialog.value = 'help';
        }}
      />
      {apiKey.value !== null && keyNeed.value === null && <Me key={apiKey.value} />}
      <ThemeChoice />
      <LanguageChoice />
    </header>
  );
};
