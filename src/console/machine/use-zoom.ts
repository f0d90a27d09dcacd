import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { panned, type ViewBox, wholeOf, zoomed } from './view-box.ts';

/** How much one press or one notch of a wheel zooms. */
const STEP = 1.25;

/** How far an arrow key moves, as a part of what is shown. */
const PAN = 0.15;

const pans: Record<string, readonly [number, number]> = {
  ArrowLeft: [-PAN, 0],
  ArrowRight: [PAN, 0],
  ArrowUp: [0, -PAN],
  ArrowDown: [0, PAN],
};

/** Zooming and moving a chart by wheel, pointer, keys and buttons. */
export const useZoom = (size: { width: number; height: number }) => {
  const view: Signal<ViewBox> = useSignal(wholeOf(size));
  const ref = useRef<SVGSVGElement>(null);
  const zoom = (factor: number, at?: { x: number; y: number }): void => {
    view.value = zoomed(view.value, size, factor, at);
  };
  const showWhole = (): void => {
    view.value = wholeOf(size);
  };
  useEffect(() => {
    const svg = ref.current;
    if (svg === null) return;
    // With a plain wheel the pane scrolls. By hand, for such a listener is passive by default and could not keep the page from zooming.
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const at = { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
      zoom(event.deltaY < 0 ? STEP : 1 / STEP, at);
    };
    svg.addEventListener('wheel', wheel, { passive: false });
    return () => svg.removeEventListener('wheel', wheel);
  }, []);
  const onPointerDown = (down: PointerEvent): void => {
    const svg = ref.current;
    if (svg === null || down.button !== 0 || view.value.width >= size.width) return;
    const start = view.value;
    const scale = start.width / svg.getBoundingClientRect().width;
    svg.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent): void => {
      view.value = panned(start, size, (down.clientX - event.clientX) * scale, (down.clientY - event.clientY) * scale);
    };
    svg.addEventListener('pointermove', move);
    svg.addEventListener('lostpointercapture', () => svg.removeEventListener('pointermove', move), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const pan = pans[event.key];
    if (event.key === '+' || event.key === '=') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') showWhole();
    else if (pan !== undefined && view.value.width < size.width)
      view.value = panned(view.value, size, pan[0] * view.value.width, pan[1] * view.value.height);
    else return;
    event.preventDefault();
  };
  return { view, ref, showWhole, zoomIn: () => zoom(STEP), zoomOut: () => zoom(1 / STEP), onPointerDown, onKeyDown };
};
