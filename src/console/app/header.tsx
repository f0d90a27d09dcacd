import { apiKey, isKeyNeeded, isOnline } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getMe } from '../api/routes.ts';
import { Button, Icon } from '../design/button.tsx';
import { chooseLanguage, type Language, language } from '../text/language.ts';
import styles from './app.module.css';
import { Link } from './link.tsx';
import { chooseTheme, type Theme, theme } from './page.ts';
import { HOME, route, SYSTEM, TRACE } from './route.ts';
import { keysDialog } from './shortcuts.ts';
import { shell } from './texts.ts';

const THEMES = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

/** Goes from one theme to the next. */
const ThemeChoice = () => {
  const names = { system: shell.value.themeSystem, light: shell.value.themeLight, dark: shell.value.themeDark };
  const label = `${shell.value.theme}: ${names[theme.value]}`;
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <Button kind="quiet" title={label} aria-label={label} onClick={() => chooseTheme(next)}>
      <Icon name={theme.value} />
    </Button>
  );
};

/** Changes to the other language, in whose words it says so. */
const LanguageChoice = () => {
  const other: Language = language.value === 'en' ? 'zh' : 'en';
  return (
    <Button kind="quiet" lang={other === 'zh' ? 'zh-Hans' : 'en'} onClick={() => chooseLanguage(other)}>
      {other === 'zh' ? '中文' : 'English'}
    </Button>
  );
};

/** Who the key of this page is for, and how to be nobody again: what the page knew is gone with it. */
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
      <Link class={styles.name} href={HOME}>
        Tripact
      </Link>
      <Link href={TRACE} aria-current={current('trace')}>
        {shell.value.openTrace}
      </Link>
      <Link href={SYSTEM} aria-current={current('system')}>
        {shell.value.system}
      </Link>
      <span class="fill" />
      <span class="refusal" role="status">
        {isOnline.value ? '' : shell.value.offline}
      </span>
      <Button
        kind="quiet"
        title={shell.value.shortcuts}
        aria-label={shell.value.shortcuts}
        onClick={() => {
          keysDialog.value = 'help';
        }}
      >
        <Icon name="keys" />
      </Button>
      {apiKey.value !== null && !isKeyNeeded.value && <Me key={apiKey.value} />}
      <ThemeChoice />
      <LanguageChoice />
    </header>
  );
};
