import { z } from 'zod';

/** A language that people are answered in. */
export const Language = z.enum(['en', 'zh']);
export type Language = z.infer<typeof Language>;

/** The language that people are answered in: Chinese as soon as the text contains a Han character, else English. */
export const languageOf = (text: string): Language => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en');
