/** The part of the chart that is shown, in its own units. */
export interface ViewBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** How much larger than the whole in view it may become. */
const ZOOM_MAX = 6;

const between = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** The whole chart. */
export const wholeOf = ({ width, height }: Size): ViewBox => ({ x: 0, y: 0, width, height });

/** A view moved by part of itself; it stays within the chart. */
export const panned = (view: ViewBox, of: Size, dx: number, dy: number): ViewBox => ({
  ...view,
  x: between(view.x + dx, 0, Math.max(0, of.width - view.width)),
  y: between(view.y + dy, 0, Math.max(0, of.height - view.height)),
});

/** A view made larger (`factor` above 1) or smaller around a point of it, given as parts of its width and height. */
export const zoomed = (view: ViewBox, of: Size, factor: number, at = { x: 0.5, y: 0.5 }): ViewBox => {
  const width = between(view.width / factor, of.width / ZOOM_MAX, of.width);
  const height = width * (of.height / of.width);
  const moved = { ...view, width, height };
  return panned(moved, of, (view.width - width) * at.x, (view.height - height) * at.y);
};
