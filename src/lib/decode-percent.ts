/** A text without its percent-encoding; a `%` that encodes nothing stays as it is, so that it never throws. */
export const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
