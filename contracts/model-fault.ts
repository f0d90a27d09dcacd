/** How the reason begins with which a model brings no answer because its provider does not take the key. */
export const KEY_REFUSED = 'the provider refused the key';
