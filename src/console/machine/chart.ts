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

/** The size of the whole chart, with a margin as wide as the one before its first node. */
export const sizeOf = ({ nodes }: Chart): { width: number; height: number } => {
  const [first] = nodes;
  if (first === undefined) return { width: 0, height: 0 };
  return {
    width: Math.max(...nodes.map(({ x, width }) => x + width)) + first.x,
    height: Math.max(...nodes.map(({ y, height }) => y + height)) + first.y,
  };
};

/** A straight part of a line. */
interface Part {
  from: ChartPoint;
  to: ChartPoint;
}

const partsOf = (points: readonly ChartPoint[]): Part[] => points.slice(1).map((to, i) => ({ from: points[i]!, to }));

const lengthOf = ({ from, to }: Part): number => Math.hypot(to.x - from.x, to.y - from.y);

const middleOf = ({ from, to }: Part): ChartPoint => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });

/** The middle of an edge's longest straight part. */
export const labelPoint = (points: readonly ChartPoint[]): ChartPoint =>
  middleOf(partsOf(points).reduce((longest, part) => (lengthOf(part) > lengthOf(longest) ? part : longest)));

/** A rectangle of the chart by its edges. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const holds = (outer: Box, inner: Box): boolean =>
  outer.left < inner.left && inner.right < outer.right && outer.top < inner.top && inner.bottom < outer.bottom;

const boxOf = ({ x, y, width, height }: Pick<ChartNode, 'x' | 'y' | 'width' | 'height'>, by = 0): Box => ({
  left: x - by,
  top: y - by,
  right: x + width + by,
  bottom: y + height + by,
});

const boxOfPart = ({ from, to }: Part): Box => ({
  left: Math.min(from.x, to.x) - 1,
  top: Math.min(from.y, to.y) - 1,
  right: Math.max(from.x, to.x) + 1,
  bottom: Math.max(from.y, to.y) + 1,
});

/** The place of a group's title from its corner, and the room that it takes. */
export const TITLE = { x: 24, y: 19, width: 140, height: 26 };

/** The height of a count, and its width without digits and for each of them. */
export const COUNT = { height: 18, width: 12, digit: 6 };

/** An edge that was taken so often. */
export interface CountedEdge {
  edge: ChartEdge;
  count: number;
}

const countBox = ({ x, y }: ChartPoint, count: number): Box => {
  const width = COUNT.width + COUNT.digit * String(count).length;
  return boxOf({ x: x - width / 2, y: y - COUNT.height / 2, width, height: COUNT.height });
};

/** Distance between two places at which a count is tried, in the chart's units. */
const TRIED_EVERY = 4;

/** Places on a line to write a count at, and how far each is from the middle of its straight part. */
const placesOn = (points: readonly ChartPoint[]): { point: ChartPoint; off: number }[] =>
  partsOf(points).flatMap((part) => {
    const length = lengthOf(part);
    const steps = Math.floor(length / 2 / TRIED_EVERY);
    return Array.from({ length: 2 * steps + 1 }, (_, i) => {
      const off = (i - steps) * TRIED_EVERY;
      const along = 0.5 + off / Math.max(1, length);
      const { from, to } = part;
      return {
        point: { x: from.x + (to.x - from.x) * along, y: from.y + (to.y - from.y) * along },
        off: Math.abs(off),
      };
    });
  });

/** How bad it is that a count covers something; that it is off the middle counts a point a unit. */
const COVERS = { state: 4_000, count: 4_000, border: 1_000, line: 300 };

/** Space that a count keeps from states and other counts. */
const CLEAR = 3;

/**
 * Where the counts of some edges are written, by the edges' ids: on their own line, clear of states, borders, titles, other lines and each
 * other as far as there is room, else in the middle.
 */
export const countPlaces = ({ nodes }: Chart, edges: readonly CountedEdge[]): ReadonlyMap<string, ChartPoint> => {
  const groups = nodes.filter(({ kind }) => kind === 'group');
  const borders = groups.map((group) => boxOf(group));
  const solid = [
    ...nodes.filter(({ kind }) => kind !== 'group').map((node) => boxOf(node, CLEAR)),
    ...groups.map(({ x, y }) => boxOf({ x, y, width: TITLE.width, height: TITLE.height })),
  ];
  const lines = edges.map(({ edge }) => ({ id: edge.id, parts: partsOf(edge.points).map(boxOfPart) }));
  const places = new Map<string, ChartPoint>();
  const placed: Box[] = [];
  // A short line has the least choice.
  const lengthOfEdge = ({ edge }: CountedEdge): number =>
    partsOf(edge.points).reduce((sum, part) => sum + lengthOf(part), 0);
  for (const { edge, count } of edges.toSorted((a, b) => lengthOfEdge(a) - lengthOfEdge(b))) {
    const others = lines.filter(({ id }) => id !== edge.id).flatMap(({ parts }) => parts);
    const badness = (box: Box): number =>
      solid.filter((each) => overlaps(each, box)).length * COVERS.state +
      placed.filter((each) => overlaps(each, box)).length * COVERS.count +
      borders.filter((each) => overlaps(each, box) && !holds(each, box)).length * COVERS.border +
      others.filter((each) => overlaps(each, box)).length * COVERS.line;
    const tried = placesOn(edge.points).map(({ point, off }) => ({
      point,
      bad: badness(countBox(point, count)) + off,
    }));
    const { point } = tried.reduce((best, each) => (each.bad < best.bad ? each : best));
    places.set(edge.id, point);
    const { left, top, right, bottom } = countBox(point, count);
    placed.push({ left: left - CLEAR, top: top - CLEAR, right: right + CLEAR, bottom: bottom + CLEAR });
  }
  return places;
};
