/** What stands in a text in place of a secret. */
export const CENSORED = '[redacted]';

/** Shortest secret that is masked, in characters: a shorter one would be found in half of all words. */
const SECRET_CHARS_MIN = 6;

/** Longest secret of which no part is left where a text is cut, in characters. */
const SECRET_CHARS_MAX = 10_000;

/** A number up to this for the last six characters of a text, as many as every secret has. */
const HASH_MAX = 0xffff;

/** That of the next six: by then the character before them is shifted out. */
const nextHash = (hash: number, code: number): number => ((hash << 3) ^ code) & HASH_MAX;

const hashOf = (six: string): number =>
  Array.from({ length: SECRET_CHARS_MIN }, (_, at) => six.charCodeAt(at)).reduce(nextHash, 0);

/** Every six characters that stand together in a text. */
const sixesIn = (text: string): string[] =>
  Array.from({ length: text.length - SECRET_CHARS_MIN + 1 }, (_, at) => text.slice(at, at + SECRET_CHARS_MIN));

/** A secret, and six of its characters that few others have, by which it is found. */
interface Sought {
  readonly secret: string;
  readonly six: string;
  /** Where they end in it. */
  readonly sixEnd: number;
}

/** Of each its rarest six, the last of them: keys may begin or end alike, all of a provider begin so, and a text may repeat what they share. */
const soughtOf = (secrets: readonly string[]): Sought[] => {
  const owners = new Map<string, number>();
  for (const secret of secrets) for (const six of new Set(sixesIn(secret))) owners.set(six, (owners.get(six) ?? 0) + 1);
  return secrets.map((secret) => {
    const six = sixesIn(secret).reduce((rarest, each) => (owners.get(each)! <= owners.get(rarest)! ? each : rarest));
    return { secret, six, sixEnd: secret.indexOf(six) + SECRET_CHARS_MIN };
  });
};

/** A secret as it is, inside a JSON string, there as some programs escape it, and in an address. */
const formsOf = (secret: string): string[] => {
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret.toWellFormed())];
};

/** A part of a text in which a secret is, or several that overlap. */
interface Stretch {
  readonly start: number;
  end: number;
}

/** The same in their order, with those that overlap as one. */
const joined = (stretches: Stretch[]): Stretch[] => {
  const apart: Stretch[] = [];
  for (const stretch of stretches.sort((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || last.end <= stretch.start) apart.push(stretch);
    else last.end = Math.max(last.end, stretch.end);
  }
  return apart;
};

/**
 * Makes the function that masks secrets in a text, as they are and as they stand inside a JSON string or an address; of some that overlap the longest first. It goes through the
 * text once, however many there are.
 */
export const maskSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const long = secrets.filter(({ length }) => length >= SECRET_CHARS_MIN);
  const forms = new Set(long.flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  const written = [...forms].sort((a, b) => b.length - a.length);
  const bySix = Map.groupBy(soughtOf(written), ({ six }) => six);
  const isSought = new Uint8Array(HASH_MAX + 1);
  for (const six of bySix.keys()) isSought[hashOf(six)] = 1;

  return (text) => {
    /** The secrets that are in it, each with the end of the last one that was compared. */
    const found = new Map<string, number>();
    const stretches: Stretch[] = [];
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at));
      if (isSought[hash] === 0) continue;
      for (const { secret, sixEnd } of bySix.get(text.slice(Math.max(0, at + 1 - SECRET_CHARS_MIN), at + 1)) ?? []) {
        const start = at + 1 - sixEnd;
        const end = start + secret.length;
        if (start < 0) continue;
        // One that would overlap the same secret is not compared: a stretch may be too long, for it is masked by what is in it.
        if (start >= (found.get(secret) ?? 0)) {
          if (!text.startsWith(secret, start)) continue;
          found.set(secret, end);
        }
        stretches.push({ start, end });
      }
    }
    if (found.size === 0) return text;
    const present = written.filter((secret) => found.has(secret));
    const masked = (part: string): string =>
      found.has(part) ? CENSORED : present.reduce((kept, secret) => kept.replaceAll(secret, CENSORED), part);
    let kept = '';
    let copied = 0;
    for (const { start, end } of joined(stretches)) {
      kept += text.slice(copied, start) + masked(text.slice(start, end));
      copied = end;
    }
    return kept + text.slice(copied);
  };
};

/** A text with its secrets masked. Of one longer than `charsMax` some of the beginning, without its last 10,000 characters: they may be the beginning of a secret. */
export const maskedHead = (text: string, charsMax: number, mask: (text: string) => string): string =>
  text.length <= charsMax ? mask(text) : mask(text.slice(0, charsMax)).slice(0, -SECRET_CHARS_MAX);
