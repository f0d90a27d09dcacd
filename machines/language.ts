/** The language that people are answered in: Chinese as soon as the text contains a Han character, else English. */
export const languageOf = (text: string): 'en' | 'zh' => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en');
