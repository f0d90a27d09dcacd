import { effect, signal } from '@preact/signals';
import { remembered } from '../app/remembered.ts';

/** The languages that every text exists in. */
export type Language = 'en' | 'zh';

const asLanguage = (name: string | null | undefined): Language | null => {
  if (name === null || name === undefined) return null;
  return name.toLowerCase().startsWith('zh') ? 'zh' : name.toLowerCase().startsWith('en') ? 'en' : null;
};

const stored = remembered('language');

const first = (): Language =>
  asLanguage(new URLSearchParams(location.search).get('lang')) ??
  asLanguage(stored.read()) ??
  asLanguage(navigator.languages.find((name) => asLanguage(name) !== null)) ??
  'en';

/** The language of all texts: `?lang=`, else the remembered choice, else the browser's first that is known. */
export const language = signal<Language>(first());

/** Shows all texts in another language from now on, also after a reload. */
export const chooseLanguage = (chosen: Language): void => {
  language.value = chosen;
  stored.write(chosen);
};

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-Hans' : 'en';
});
