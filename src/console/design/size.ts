import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The size of an element's inside, in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Measures an element before it is first seen, and whenever its size changes. */
export const useSize = <Measured extends HTMLElement>(): {
  ref: RefObject<Measured | null>;
  size: ReadonlySignal<Size>;
} => {
  const ref = useRef<Measured>(null);
  const size = useSignal<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const look = (): void => {
      const { clientWidth: width, clientHeight: height } = current;
      const { width: oldWidth, height: oldHeight } = size.peek();
      if (width !== oldWidth || height !== oldHeight) size.value = { width, height };
    };
    const resized = new ResizeObserver(look);
    resized.observe(current);
    look();
    return () => resized.disconnect();
  }, []);
  return { ref, size };
};
