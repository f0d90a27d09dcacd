import type { NamedStep } from '../../../contracts/named-plan.ts';

/**
 * The steps of a plan after an update: one whose text is unchanged keeps its status and notes, even where it moved; all others
 * are not started. Of several with one text, those that stayed in place come first, then the others in order.
 */
export const keepSteps = (before: readonly NamedStep[], texts: readonly string[]): NamedStep[] => {
  const inPlace = (index: number): boolean => before[index]?.step === texts[index];
  const moved = before.filter((_, index) => !inPlace(index));
  return texts.map((text, index) => {
    const stayed = before[index];
    if (stayed !== undefined && inPlace(index)) return stayed;
    const from = moved.findIndex(({ step }) => step === text);
    const [kept] = from === -1 ? [] : moved.splice(from, 1);
    return kept ?? { step: text, status: 'not_started', notes: null };
  });
};
