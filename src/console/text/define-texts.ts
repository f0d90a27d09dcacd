import { computed, type ReadonlySignal } from '@preact/signals';
import { language } from './language.ts';

/** A text, or a function that makes one of values. */
type Text = string | ((...values: never[]) => string);

/** The same texts in another language: one that is missing does not compile. */
type Same<Texts> = { [Name in keyof Texts]: Texts[Name] extends string ? string : Texts[Name] };

/** Defines the texts of a folder in both languages. Read `.value` in a component: it renders again when the language changes. */
export const defineTexts = <const Texts extends Record<string, Text>>(
  en: Texts,
  zh: Same<Texts>,
): ReadonlySignal<Same<Texts>> => computed(() => (language.value === 'zh' ? zh : (en as Same<Texts>)));
