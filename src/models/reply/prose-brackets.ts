const BRACES_ONLY = /^[\s{｛]*$/;
const ESCAPE = 0x1b;

/** Characters looked at behind a bracket to see whether it opens a list of strings. */
const LIST_CHARS = 16;

/** Counts the braces and brackets that are open in prose, and says whether an object may stand between them. */
export class ProseBrackets {
  /** A brace closed that never opened. */
  hasStray = false;
  #braces = 0;
  #brackets = 0;
  /** Where the outermost of them opened. */
  #openedAt = 0;
  /** A bracket opened what could be a list of strings. */
  #isList = false;
  #holdsObject = false;

  get inBraces(): boolean {
    return this.#braces > 0;
  }

  openBrace(at: number): void {
    if (this.#braces + this.#brackets === 0) this.#openedAt = at;
    this.#braces += 1;
  }

  closeBrace(): void {
    if (this.#braces === 0) this.hasStray = true;
    else this.#braces -= 1;
  }

  /** Counts a bracket, unless it belongs to a terminal's colour code. */
  openBracket(text: string, at: number): void {
    if (text.charCodeAt(at - 1) === ESCAPE) return;
    if (this.#braces + this.#brackets === 0) this.#openedAt = at;
    this.#brackets += 1;
    this.#isList ||= text
      .slice(at + 1, at + 1 + LIST_CHARS)
      .trimStart()
      .startsWith('"');
  }

  /** Counts a closing bracket; false when it closes one that contains an object, which is then a part of something unreadable. */
  closeBracket(): boolean {
    if (this.#brackets === 0) return true;
    this.#brackets -= 1;
    if (this.#brackets === 0) this.#isList = false;
    return !this.#holdsObject;
  }

  /** How many braces hold the object at `start` alone, as in `\boxed{ {…} }`; null where it stands among other things in them. */
  wrapsOf(text: string, start: number): number | null {
    if (this.#braces === 0) return this.#isList ? null : 0;
    return this.#brackets === 0 && BRACES_ONLY.test(text.slice(this.#openedAt, start)) ? this.#braces : null;
  }

  /** An object was read, with the braces that wrap it. */
  passObject(): void {
    this.#braces = 0;
    this.#holdsObject = this.#brackets > 0;
  }
}
