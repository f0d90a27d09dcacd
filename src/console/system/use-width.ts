import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** How wide a drawing is on the screen, in pixels, so that its text keeps its size: at least `min`. */
export const useWidth = (min: number): { ref: RefObject<SVGSVGElement | null>; width: number } => {
  const ref = useRef<SVGSVGElement>(null);
  const width = useSignal(min);
  useLayoutEffect(() => {
    const { current: drawing } = ref;
    if (drawing === null) return;
    const measure = (): void => {
      width.value = Math.max(min, Math.round(drawing.getBoundingClientRect().width));
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(drawing);
    return () => resized.disconnect();
  }, []);
  return { ref, width: width.value };
};
