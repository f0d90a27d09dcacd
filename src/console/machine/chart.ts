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
