import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { remembered } from '../app/remembered.ts';

/** A text, or a function that makes one of values. */
type Text = string | ((...values: never[]) => string);

/** The same texts in another language: one that is missing does not compile. */
type Same<Texts> = { [Name in keyof Texts]: Texts[Name] extends string ? string : Texts[Name] };

/** Defines the texts of a folder in both languages. Read `.value` in a component: it renders again when the language changes. */
export const defineTexts = <const Texts extends Record<string, Text>>(
  en: Texts,
  zh: Same<Texts>,
): ReadonlySignal<Same<Texts>> => computed(() => (language.value === 'zh' ? zh : (en as Same<Texts>)));

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
