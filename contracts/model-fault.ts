/** How the reason begins with which a model brings no answer because its provider does not take the key. */
export const KEY_REFUSED = 'the provider refused the key';

/** How the reason begins with which an answer counts as none, because its server showed the model a part of the prompt alone. */
export const PROMPT_CUT = 'the server cut the prompt without a word';
