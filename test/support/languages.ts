/** Three words in a row that are no option, placeholder or example: prose in English. */
export const ENGLISH_PROSE = /(?<!["\w<[|-])[A-Za-z]+,? [a-z]+,? [a-z]+/;

/** A Chinese character. */
export const HAN = /\p{Script=Han}/u;
