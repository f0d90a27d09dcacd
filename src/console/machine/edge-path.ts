import type { ChartPoint } from './chart.ts';

/** Radius of a bend, in the chart's units. */
const RADIUS = 6;

const towards = (from: ChartPoint, to: ChartPoint, distance: number): string => {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(distance, length / 2) / length;
  return `${from.x + (to.x - from.x) * part} ${from.y + (to.y - from.y) * part}`;
};

/** The path of an SVG element through points, with round bends. */
export const edgePath = (points: readonly ChartPoint[]): string => {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const bends = rest.slice(0, -1).map((point, i) => {
    const [before, after] = [points[i] ?? point, points[i + 2] ?? point];
    return `L${towards(point, before, RADIUS)}Q${point.x} ${point.y} ${towards(point, after, RADIUS)}`;
  });
  return `M${first.x} ${first.y}${bends.join('')}L${last.x} ${last.y}`;
};

/** Where an edge's count is written: the middle of its longest straight part. */
export const labelPoint = (points: readonly ChartPoint[]): ChartPoint => {
  let best = { x: 0, y: 0, length: -1 };
  for (const [i, to] of points.slice(1).entries()) {
    const from = points[i] ?? to;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length > best.length) best = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, length };
  }
  return { x: best.x, y: best.y };
};
