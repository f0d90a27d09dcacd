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
  return { list, content, isAtEnd, goToEnd };
};
