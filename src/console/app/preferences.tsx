import { useSignal } from '@preact/signals';
import { apiKey, keyNeed } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getMe } from '../api/routes.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { toggles } from '../design/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { HOME } from '../state/route.ts';
import { keysDialog } from '../state/shortcuts.ts';
import { chooseLanguage, type Language, language } from '../text/language.ts';
import { shell } from '../text/shell.ts';
import { type Theme, theme, themeTitle } from './page.ts';

/** How the button is drawn, where it is. */
interface ButtonPlace {
  class?: string | undefined;
}

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

/** Switches to the next theme. */
export const ThemeButton = ({ class: more }: ButtonPlace) => (
  <button
    type="button"
    class={more}
    title={themeTitle(theme.value)}
    onClick={() => {
      theme.value = NEXT[theme.value];
    }}
  >
    <Icon name="theme" />
    {shell.value.themeShort}
  </button>
);

/** Switches to the other language, labelled in that language. */
export const LanguageButton = ({ class: more }: ButtonPlace) => {
  const other: Language = language.value === 'en' ? 'zh' : 'en';
  return (
    <button type="button" class={more} lang={other === 'zh' ? 'zh-Hans' : 'en'} onClick={() => chooseLanguage(other)}>
      <Icon name="globe" />
      {other === 'zh' ? '中文' : 'English'}
    </button>
  );
};

/** Lists the keys. */
export const KeysButton = ({ class: more }: ButtonPlace) => (
  <button
    type="button"
    class={more}
    title={shell.value.shortcuts}
    onClick={() => {
      keysDialog.value = 'help';
    }}
  >
    <Icon name="keys" />
    {shell.value.keys}
  </button>
);

const leave = (): void => {
  sessionStorage.clear();
  location.assign(HOME);
};

/** Whose key the page uses, and a way to sign out, which drops everything that the page knew. */
const OwnerButton = ({ class: more }: ButtonPlace) => {
  const isOpen = useSignal(false);
  const me = useResource((signal) => getMe(signal), []).loaded.value.value;
  if (me === undefined) return null;
  const who = `${me.owner} · ${shell.value[me.role]}`;
  return (
    <>
      <button type="button" class={more} title={who} aria-haspopup="dialog" onClick={toggles(isOpen)}>
        <Icon name="person" />
        <span class="clipped">{me.owner}</span>
      </button>
      {isOpen.value && (
        <Dialog title={shell.value.signedIn} onClose={toggles(isOpen)}>
          <p>{who}</p>
          <div class="buttons">
            <Button onClick={leave}>{shell.value.signOut}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
};

/** The same, if the page uses a key. */
export const Me = (place: ButtonPlace) =>
  apiKey.value === null || keyNeed.value !== null ? null : <OwnerButton key={apiKey.value} {...place} />;
