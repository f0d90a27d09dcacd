import { useSignal } from '@preact/signals';
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Rows that are drawn beyond what is in view, so that a quick scroll meets no blank. */
const OVERSCAN = 12;

/** How near to its end a list counts as followed, in pixels. */
const END_PX = 40;

/** The drawn rows of a long list. */
export interface VirtualRows {
  ref: { current: HTMLDivElement | null };
  items: readonly VirtualItem[];
  /** Height of all rows together, in pixels. */
  height: number;
  /** Brings a row into view, if it is not. */
  show(index: number): void;
}

/** Draws only those rows of a list that are in view. All rows are `rowHeight` pixels high. Follows the end as long as one is there. */
export const useVirtualRows = (count: number, rowHeight: number, isFollowing: boolean): VirtualRows => {
  const ref = useRef<HTMLDivElement>(null);
  const drawn = useSignal(0);
  /** One is at the end until one scrolls away from it; that more rows come is no scrolling. */
  const isAtEnd = useRef(true);
  const virtualizer = useRef<Virtualizer<HTMLDivElement, HTMLDivElement> | null>(null);
  const options: VirtualizerOptions<HTMLDivElement, HTMLDivElement> = {
    count,
    getScrollElement: () => ref.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollToFn: elementScroll<HTMLDivElement>,
    observeElementRect,
    observeElementOffset: (of, onOffset) =>
      observeElementOffset(of, (offset, isScrolling) => {
        const list = of.scrollElement;
        if (list !== null && isScrolling) isAtEnd.current = offset + list.clientHeight >= list.scrollHeight - END_PX;
        onOffset(offset, isScrolling);
      }),
    onChange: () => {
      drawn.value += 1;
    },
  };
  virtualizer.current ??= new Virtualizer(options);
  const rows = virtualizer.current;
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  useLayoutEffect(() => {
    if (isFollowing && isAtEnd.current && ref.current !== null) ref.current.scrollTop = count * rowHeight;
  }, [count]);
  // Reading it has the component drawn again when other rows come into view.
  void drawn.value;
  return {
    ref,
    items: rows.getVirtualItems(),
    height: rows.getTotalSize(),
    // Rows of one height need no measuring, which the virtualizer's own scrolling does again and again: each time a layout of the page.
    show: (index) => {
      const { current: list } = ref;
      if (list === null) return;
      const { scrollTop, clientHeight } = list;
      const top = index * rowHeight;
      if (top < scrollTop) list.scrollTop = top;
      else if (top + rowHeight > scrollTop + clientHeight) list.scrollTop = top + rowHeight - clientHeight;
    },
  };
};
