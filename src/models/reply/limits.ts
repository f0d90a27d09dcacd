/** Longest reply looked at, in characters: more than any model writes in one call, so reading stays short. */
export const REPLY_CHARS_MAX = 1_000_000;

/** Tokens read in one object: a plan of 200 full items has some 12,000, and code that walks the value pays for each. */
export const TOKENS_MAX = 20_000;

/** Tokens read in one reply, of all its objects and of braces that prove to be prose: some drafts beside the answer. Each takes half a microsecond. */
export const REPLY_TOKENS_MAX = 30_000;

/** Characters of a reply's strings that are read escape by escape, since JSON.parse does not take them: the others are fast. */
export const ODD_CHARS_MAX = 100_000;

/** What each such string counts beside its characters: finding that out takes about as long as reading so many. */
export const ODD_STRING_CHARS = 50;

/** Longest object with escaped quotes that is decoded, in characters: it is written anew and then scanned like any other. */
export const ENCODED_CHARS_MAX = 500_000;

/** Objects read in one reply, drafts among them: more are no wrapping of one answer, and each is compared. */
export const OBJECTS_MAX = 50;

/** Characters of a reply that are read again, where an object could not be read and what is in it is looked at by itself. */
export const REREAD_CHARS_MAX = 100_000;

/** Braces, brackets, tags, fences and colons looked at outside of objects: a long answer in prose has some thousands. */
export const LANDMARKS_MAX = 20_000;

/** Times that reading starts again behind reasoning whose opening tag is missing: each may cost a scan to the end. */
export const RESTARTS_MAX = 5;

/** Longest prose read for marks or a list, in characters: longer than the longest response, so nothing that fits is lost. */
export const PROSE_CHARS_MAX = 70_000;
