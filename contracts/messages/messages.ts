import type { Language } from '../text.ts';
import { english } from './en/catalogue.ts';
import { chinese } from './zh/catalogue.ts';

/** All texts of ours that a user reads, in one language. */
export type Messages = typeof english;

const catalogues: Record<Language, Messages> = { en: english, zh: chinese };

/** The texts in a language, by area. Pure, so that the machine may use it too. */
export const messages = (language: Language): Messages => catalogues[language];
