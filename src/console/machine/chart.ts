/** A transition of the machine. */
export interface ChartArrow {
  /** As `machines/arrows.ts` names it. */
  id: string;
  /** The id of its state or group; empty: every state has it. */
  from: string;
  /** The id of the state that it enters; null: it stays. */
  to: string | null;
  /** Null for a transition without an event, which is taken at once. */
  event: string | null;
  guard: string | null;
}

/** A state of the machine, in the chart's own coordinates. */
export interface ChartNode {
  /** Its path in the machine, such as `open.working.outer.inner.thinking`. */
  id: string;
  kind: 'group' | 'state' | 'gate' | 'final';
  /** The effect that it requests on entry; null: none. */
  effect: string | null;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ChartPoint {
  x: number;
  y: number;
}

/** All transitions from one state or group to another, as one line. */
export interface ChartEdge {
  /** `from→to`, by their nodes' ids. */
  id: string;
  from: string;
  to: string;
  /** Its points from beginning to end; at least two. */
  points: ChartPoint[];
}

/** The task machine, laid out. */
export interface Chart {
  /** The machine's name and version. */
  machine: string;
  /** Groups before their contents. */
  nodes: ChartNode[];
  edges: ChartEdge[];
  arrows: ChartArrow[];
}

/** A state's own name, which the API gives as a task's state. */
export const keyOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1);

/** True for a state, and for each group around it. */
export const isWithin = (state: string, id: string): boolean => state === id || state.startsWith(`${id}.`);

/** Margin around a part of the chart, in its units. */
const MARGIN = 12;

/** The nodes that some edges and a state need, with their bounding box. */
export const partOf = ({ nodes }: Chart, edges: readonly ChartEdge[], active: string | undefined, isAll: boolean) => {
  const ends = [active ?? '', ...edges.flatMap(({ from, to }) => [from, to])];
  const shown = nodes.filter(({ id }) => isAll || ends.some((end) => isWithin(end, id)));
  const corners = shown.map(({ x, y, width, height }) => ({ x: x + width, y: y + height }));
  const points = [...shown, ...corners, ...edges.flatMap((edge) => edge.points)];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return { nodes: shown, x, y, width: Math.max(...xs) + MARGIN - x, height: Math.max(...ys) + MARGIN - y };
};

/** Where an edge's count is written: the middle of its longest straight part. */
export const labelPoint = (points: readonly ChartPoint[]): ChartPoint => {
  const parts = points.slice(1).map((to, i) => ({ from: points[i]!, to }));
  const length = ({ from, to }: { from: ChartPoint; to: ChartPoint }) => Math.hypot(to.x - from.x, to.y - from.y);
  const { from, to } = parts.reduce((longest, part) => (length(part) > length(longest) ? part : longest));
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
};
