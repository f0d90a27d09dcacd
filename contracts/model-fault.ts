/** How the reason begins where a model gives no answer because its provider refuses the key. */
export const KEY_REFUSED = 'the provider refused the key';

/** How the reason begins where a script answers in place of a model and cannot go on; the rest says why. */
export const SCRIPT_FAULT = 'the script cannot go on';

/** How the reason begins where an answer is dropped because the server showed the model only a part of the prompt. */
export const PROMPT_CUT = 'the server cut the prompt without a word';
