/** A text with the searched words marked. */
export const Hit = ({ text, words }: { text: string; words: readonly string[] }) => {
  const sought = words.map((word) => word.replace(/\W/g, '\\$&')).join('|');
  const parts = sought === '' ? [text] : text.split(new RegExp(`(${sought})`, 'i'));
  return <>{parts.map((part, i) => (i % 2 === 0 ? part : <mark key={i}>{part}</mark>))}</>;
};
