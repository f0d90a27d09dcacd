/** What stands for every name beyond the bound. */
const OTHER = 'other';

/** Longest name that is kept, in characters. */
const NAME_CHARS_MAX = 100;

/**
 * Makes a function that gives the first `max` names as they are and `other` for all after them: names of models and tools come from outside, and
 * each one is a time series that is kept for ever.
 */
export const createBoundedNames = (max: number): ((name: string) => string) => {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size === max || name.length > NAME_CHARS_MAX) return OTHER;
    known.add(name);
    return name;
  };
};
