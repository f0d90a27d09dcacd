/** Stands in a text in place of a secret. */
export const CENSORED = '[redacted]';

/** Shortest secret that is masked, in characters: a shorter one would be found in half of all words. */
const SECRET_CHARS_MIN = 8;

/** Makes the function that replaces secrets in a text, as they are and as they stand inside a JSON string; the longest first. */
export const maskSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const forms = secrets
    .filter(({ length }) => length >= SECRET_CHARS_MIN)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((kept, secret) => kept.replaceAll(secret, CENSORED), text);
};
