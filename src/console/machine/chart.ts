/** A transition as the chart names it. */
export interface ChartArrow {
  /** As `machines/arrows.ts` names it. */
  id: string;
  /** Null for a transition without an event, which is taken at once. */
  event: string | null;
  guard: string | null;
}

/** A state of the machine, in the chart's own coordinates. */
export interface ChartNode {
  /** Its path in the machine, such as `outer.inner.thinking`. */
  id: string;
  /** Its own name, which the API gives as a task's state. */
  key: string;
  /** The group that it is in; null at the top. */
  parent: string | null;
  kind: 'group' | 'state' | 'gate' | 'final';
  /** The effect that it requests when it is entered; null for none. */
  effect: string | null;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Transitions that stay in the state. */
  stays: ChartArrow[];
}

export interface ChartPoint {
  x: number;
  y: number;
}

/** All transitions from one state, or group, to another. */
export interface ChartEdge {
  /** `from→to`, by their nodes' ids. */
  id: string;
  from: string;
  to: string;
  /** Where it bends, from its beginning to its end; at least two. */
  points: ChartPoint[];
  arrows: ChartArrow[];
}

/** The task machine, laid out. */
export interface Chart {
  /** The machine's name and version. */
  machine: string;
  width: number;
  height: number;
  /** Groups before what is inside them. */
  nodes: ChartNode[];
  edges: ChartEdge[];
  /** Transitions that every state has and that stay in it. */
  everywhere: ChartArrow[];
}

/** The states that a task was in, with what may come next. */
export interface ChartPart {
  /** The state that it is in; null where the chart has none of that name. */
  active: ChartNode | null;
  /** The ids of that state and of the groups around it: what leads on begins there. */
  around: readonly string[];
  nodes: ChartNode[];
  edges: ChartEdge[];
  /** The corner and the size of all of that. */
  box: { x: number; y: number; width: number; height: number };
}

/** Room around a part of the chart, in its units. */
const MARGIN = 12;

/** The part of a chart that a task went through, up to the state that leads on; or all of it. */
export const partOf = (
  chart: Chart,
  state: string | null,
  isTaken: (edge: ChartEdge) => boolean,
  isAll: boolean,
): ChartPart => {
  const byId = new Map(chart.nodes.map((node) => [node.id, node]));
  const active = chart.nodes.find(({ key, kind }) => key === (state ?? 'opened') && kind !== 'group') ?? null;
  const around: string[] = [];
  for (let node = active; node !== null; node = byId.get(node.parent ?? '') ?? null) around.push(node.id);
  const edges = chart.edges.filter((edge) => isAll || isTaken(edge) || around.includes(edge.from));
  const shown = new Set([...around, ...edges.flatMap(({ from, to }) => [from, to])]);
  for (const id of shown) {
    const parent = byId.get(id)?.parent ?? null;
    if (parent !== null) shown.add(parent);
  }
  const nodes = isAll ? chart.nodes : chart.nodes.filter(({ id }) => shown.has(id));
  const ends = nodes.map(({ x, y, width, height }) => ({ x: x + width, y: y + height }));
  const points = [...nodes, ...ends, ...edges.flatMap((edge) => edge.points)];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  const box = { x, y, width: Math.max(...xs) + MARGIN - x, height: Math.max(...ys) + MARGIN - y };
  return { active, around, nodes, edges, box };
};

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
