import { computed, effect, signal } from '@preact/signals';
import { remembered } from '../state/remembered.ts';

/** A text with placeholders `{0}`, `{1}` and so on, or a function that makes one from values. */
type Text = string | ((...values: never[]) => string);

type Shown<English> = English extends `${string}{0}${string}`
  ? (...values: (string | number)[]) => string
  : English extends string
    ? string
    : English;

const shown = (text: Text) =>
  typeof text !== 'string' || !text.includes('{0}')
    ? text
    : (...values: (string | number)[]) => text.replace(/\{(\d)\}/g, (_, place) => String(values[place]));

/**
 * Defines the texts of a folder, each in English and Chinese. Read `.value` in a component, which then renders again
 * when the language changes.
 */
export const defineTexts = <const Texts extends Record<string, readonly [english: Text, chinese: Text]>>(
  texts: Texts,
) =>
  computed(() => {
    const place = language.value === 'zh' ? 1 : 0;
    const chosen = Object.entries(texts).map(([name, text]) => [name, shown(text[place])]);
    return Object.fromEntries(chosen) as { [Name in keyof Texts]: Shown<Texts[Name][0]> };
  });

/** The languages that every text exists in. */
export type Language = 'en' | 'zh';

const stored = remembered<Language | ''>('language', '');

/** The language of all texts: `?lang=`, else the remembered choice, else the browser's first known one. */
export const language = signal(
  [new URLSearchParams(location.search).get('lang'), stored.peek(), ...navigator.languages]
    .map((name) => name?.slice(0, 2).toLowerCase())
    .find((name): name is Language => name === 'en' || name === 'zh') ?? 'en',
);

/** Shows all texts in another language from now on, also after a reload. */
export const chooseLanguage = (chosen: Language): void => {
  language.value = chosen;
  stored.value = chosen;
};

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-Hans' : 'en';
});
