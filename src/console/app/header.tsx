import { isOnline } from '../api/request.ts';
import { chooseLanguage, type Language, language } from '../text/language.ts';
import styles from './header.module.css';
import { Link } from './link.tsx';
import { HOME, SYSTEM, TRACE } from './parse-route.ts';
import { route } from './route.ts';
import { shell } from './texts.ts';
import { chooseTheme, type Theme, theme } from './theme.ts';

const ThemeChoice = () => (
  <select
    class={styles.choice}
    aria-label={shell.value.theme}
    value={theme.value}
    onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
  >
    <option value="system">{shell.value.themeSystem}</option>
    <option value="light">{shell.value.themeLight}</option>
    <option value="dark">{shell.value.themeDark}</option>
  </select>
);

const LanguageChoice = () => (
  <select
    class={styles.choice}
    aria-label={shell.value.language}
    value={language.value}
    onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
  >
    <option value="en">English</option>
    <option value="zh">中文</option>
  </select>
);

/** The line above all screens. */
export const Header = () => {
  const { page } = route.value;
  const current = (name: string) => (page === name ? 'page' : undefined);
  return (
    <header class={styles.header}>
      <Link class={styles.name} href={HOME}>
        Tripact
      </Link>
      <div class={styles.links}>
        <Link href={TRACE} aria-current={current('trace')}>
          {shell.value.openTrace}
        </Link>
        <Link href={SYSTEM} aria-current={current('system')}>
          {shell.value.system}
        </Link>
      </div>
      <span class={styles.space} />
      <span class={styles.offline} role="status">
        {isOnline.value ? '' : shell.value.offline}
      </span>
      <ThemeChoice />
      <LanguageChoice />
    </header>
  );
};
