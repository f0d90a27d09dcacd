/**
 * The first places at which a passage is in a text, one behind the other, `max` of them at most. It takes as long as both are (Knuth, Morris and Pratt): a search of V8's own takes the product of
 * their lengths, where a passage nearly repeats itself, which is seconds for a file.
 */
export const placesOf = (passage: string, text: string, max: number): number[] => {
  const places: number[] = [];
  /** How much of the passage's beginning is also what it ends with, up to each of its characters. */
  const again = new Int32Array(passage.length);
  for (let at = 1, same = 0; at < passage.length; at += 1) {
    const unit = passage.charCodeAt(at);
    while (same > 0 && unit !== passage.charCodeAt(same)) same = again[same - 1]!;
    if (unit === passage.charCodeAt(same)) same += 1;
    again[at] = same;
  }
  for (let at = 0, same = 0; at < text.length && places.length < max; at += 1) {
    const unit = text.charCodeAt(at);
    while (same > 0 && unit !== passage.charCodeAt(same)) same = again[same - 1]!;
    if (unit === passage.charCodeAt(same)) same += 1;
    if (same < passage.length) continue;
    places.push(at - same + 1);
    same = 0;
  }
  return places;
};
