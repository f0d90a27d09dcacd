/** A text without its percent-encoding. A `%` that encodes nothing stays. Never throws. */
export const decodePercent = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
