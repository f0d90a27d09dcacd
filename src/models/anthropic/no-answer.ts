/** A response came, but no whole message was in it; its message never quotes the body. Worth another try. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** Whatever made reading a body fail, as a `NoAnswer`; one that says why already stays as it is. */
export const brokenOff = (cause: unknown): NoAnswer =>
  cause instanceof NoAnswer ? cause : new NoAnswer('the answer broke off on its way', { cause });
