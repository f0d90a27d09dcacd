import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** How far from its end a list still counts as read to the end, in pixels. */
const NEAR = 40;

/** A list that shows its end. */
export interface StickToEnd {
  list: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** True while its end is seen. */
  isAtEnd: Signal<boolean>;
  goToEnd(): void;
  /** Does something that adds to the list's beginning, and leaves what is seen where it is. */
  keepPlace(add: () => Promise<void>): Promise<void>;
}

/** Keeps the end of a growing list in view unless its reader has scrolled away. */
export const useStickToEnd = (): StickToEnd => {
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useSignal(true);
  const goToEnd = (): void => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  };
  useEffect(() => {
    const { current: element } = list;
    if (element === null || content.current === null) return;
    const onScroll = (): void => {
      isAtEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    const grown = new ResizeObserver(() => {
      if (isAtEnd.peek()) goToEnd();
    });
    grown.observe(content.current);
    grown.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  const keepPlace = async (add: () => Promise<void>): Promise<void> => {
    const { current: element } = list;
    const before = element?.scrollHeight ?? 0;
    isAtEnd.value = false;
    await add();
    requestAnimationFrame(() => {
      if (element !== null) element.scrollTop += element.scrollHeight - before;
    });
  };
  return { list, content, isAtEnd, goToEnd, keepPlace };
};
