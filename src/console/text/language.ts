import { computed, effect, signal } from '@preact/signals';
import { remembered } from '../app/remembered.ts';

/** A text, or a function that makes one of values. */
type Text = string | ((...values: never[]) => string);

type Same<One> = One extends string ? string : One;

/** Defines the texts of a folder, each in English and Chinese. Read `.value` in a component: it renders again when the language changes. */
export const defineTexts = <Texts extends Record<string, Text>>(
  pairs: {
    [Name in keyof Texts]: readonly [english: Texts[Name], chinese: Same<NoInfer<Texts[Name]>>];
  },
) =>
  computed(() => {
    const place = language.value === 'zh' ? 1 : 0;
    const chosen = Object.entries(pairs).map(([name, pair]) => [name, pair[place]]);
    return Object.fromEntries(chosen) as { [Name in keyof Texts]: Same<Texts[Name]> };
  });

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
