import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** What unfolds and folds something. */
const CONTROLS = 'summary, [aria-expanded]';

const OPEN = '[open] > summary, [aria-expanded="true"]';

/** The fold that was used last. */
interface UsedFold {
  /** All of it: changes of its height are its own, others are the conversation's. */
  whole: Element;
  /** What must stay where it is on the screen. */
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
 * list that is scrolled from its end grows upwards. Growth outside of the fold moves nothing here: a list at its end stays
 * there. Takes the list, whose only child is its content.
 */
export const useKeptPlace = (list: RefObject<HTMLElement | null>) => {
  const used = useRef<UsedFold | null>(null);
  /** After anything moved: a browser that scrolls by itself to keep some other place tells of that first. */
  const keep = (): void => {
    const fold = used.current;
    if (list.current === null || fold === null) return;
    if (!fold.whole.isConnected || !fold.kept.isConnected) {
      used.current = null;
      return;
    }
    const height = heightOf(fold.whole);
    if (height !== fold.height) list.current.scrollTop += topOf(fold.kept) - fold.top;
    used.current = { ...fold, height, top: topOf(fold.kept) };
  };
  useLayoutEffect(() => {
    const content = list.current?.firstElementChild;
    if (content == null) return;
    const sizes = new ResizeObserver(keep);
    sizes.observe(content);
    return () => sizes.disconnect();
  }, []);
  return {
    /** Before a click does something. */
    onClickCapture: ({ target }: Event): void => {
      used.current = foldOf(target as Element) ?? used.current;
    },
    /** After the list was scrolled. */
    keep,
    /** Before the list goes elsewhere. */
    forget: (): void => {
      used.current = null;
    },
  };
};
