import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Elements that unfold and fold something. */
const CONTROLS = 'summary, [aria-expanded]';

const OPEN = '[open] > summary, [aria-expanded="true"]';

/** The fold that was used last. */
interface UsedFold {
  /** All of it: changes of its height are its own, others are the conversation's. */
  whole: Element;
  /** The element that must stay where it is on the screen. */
  kept: Element;
  height: number;
  top: number;
}

const heightOf = (element: Element): number => element.getBoundingClientRect().height;
const topOf = (element: Element): number => element.getBoundingClientRect().top;

/** The fold of a control that is clicked; null: it is none. */
const foldOf = (clicked: Element | null): UsedFold | null => {
  const control = clicked?.closest(CONTROLS);
  const whole = control?.closest('details, article, [role="log"] > *');
  if (control == null || whole == null) return null;
  // A cut text stands before its control, and is read on from where it is.
  const kept = control.matches(OPEN) ? control : (control.previousElementSibling ?? control);
  return { whole, kept, height: heightOf(whole), top: topOf(kept) };
};

/**
 * Keeps a fold where it is on the screen when the user unfolds or folds it, however late its content comes. Without it, a
 * list that is scrolled from its end grows upwards. From then on the fold is the list's anchor in the browser's place,
 * which would choose another one: what the user reads stays still, and a list at its end stays there. Takes the list,
 * whose only child is its content.
 */
export const useKeptPlace = (list: RefObject<HTMLElement | null>) => {
  const used = useRef<UsedFold | null>(null);
  const use = (fold: UsedFold | null): void => {
    used.current = fold;
    if (list.current !== null) list.current.style.overflowAnchor = fold === null ? '' : 'none';
  };
  /** The fold that was used last, while it is in the list. */
  const usedFold = (): UsedFold | null => {
    if (used.current?.kept.isConnected === false || used.current?.whole.isConnected === false) use(null);
    return used.current;
  };
  /** After a part of the list grew or shrank. */
  const keep = (): void => {
    const fold = usedFold();
    if (list.current === null || fold === null) return;
    const height = heightOf(fold.whole);
    const isAtEnd = list.current.scrollTop === 0;
    if (height !== fold.height || !isAtEnd) list.current.scrollTop += topOf(fold.kept) - fold.top;
    use({ ...fold, height, top: topOf(fold.kept) });
  };
  useLayoutEffect(() => {
    const content = list.current?.firstElementChild;
    if (content == null) return;
    const sizes = new ResizeObserver(keep);
    sizes.observe(content);
    return () => sizes.disconnect();
  }, []);
  return {
    /** Before a click does something, and after all that the last one did. */
    onClickCapture: ({ target }: Event): void => {
      keep();
      use(foldOf(target as Element) ?? used.current);
    },
    /** After the list was scrolled. */
    scrolled: (): void => {
      const fold = usedFold();
      if (fold !== null && heightOf(fold.whole) === fold.height) use({ ...fold, top: topOf(fold.kept) });
    },
    /** Before the list goes elsewhere. */
    forget: (): void => use(null),
  };
};
