import { createRequire } from 'node:module';
import type { ELK, ElkEdgeSection, ElkExtendedEdge, ElkNode, ElkPort } from 'elkjs/lib/elk-api.js';
import type { Plugin } from 'vite';
import type { AnyStateNode } from 'xstate';
import { entryActions, pathOf, statesOf, taskArrows } from '../../../machines/arrows.ts';
import { MACHINE, taskMachine } from '../../../machines/task-machine.ts';
import type { Chart, ChartNode, ChartPoint } from './chart.ts';

/** By `require`: its types name its default export differently for Node than for a bundler. */
const Elk = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as new () => ELK;

/** In the chart's own units; one unit is a pixel at natural size. */
const SPACES = {
  'elk.spacing.nodeNode': '14',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '24',
  'elk.layered.spacing.edgeNodeBetweenLayers': '8',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
};

/** Sizes in the chart's own units. */
const SIZES = {
  state: { width: 124, height: 42 },
  final: { width: 108, height: 36 },
  gate: { width: 124, height: 28 },
};

/** Each group is laid out alone, with the lines that cross its border attached to it. */
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'SEPARATE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.layering.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  ...SPACES,
};

const [WHOLE_PADDING, GROUP_PADDING] = ['[top=12,left=12,bottom=12,right=12]', '[top=32,left=16,bottom=16,right=16]'];

/** Makes edges in the machine's order of states point onward, in preference to those that go back. */
const FORWARD_PRIORITY = '100';

const arrows: Chart['arrows'] = taskArrows().map(({ from, to, id, event, guard }) => ({
  id,
  event,
  guard,
  from: pathOf(from),
  to: to === null ? null : pathOf(to),
}));

const kindOf = (node: AnyStateNode): ChartNode['kind'] => {
  if (node.type === 'compound') return 'group';
  if (node.type === 'final') return 'final';
  return node.always === undefined ? 'state' : 'gate';
};

/** The id of the group around a state or group; empty: the machine itself. */
const groupOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));

const isIn = (group: string, id: string): boolean => group === '' || id.startsWith(`${group}.`);

/**
 * Groups inside each other are laid out down and to the right in turn. One direction for all would make the chart a
 * column or a ribbon; the pane is a little wider than high.
 */
const isDownIn = (group: string): boolean => (group === '' ? 0 : group.split('.').length) % 2 === 0;

/** The side of a group at which a line ends that comes from before it or goes on after it. */
const sideOf = (isDown: boolean, isBefore: boolean): string =>
  isDown ? (isBefore ? 'NORTH' : 'SOUTH') : isBefore ? 'WEST' : 'EAST';

/**
 * The lines between states, cut at the borders of groups. Lines across a border that lead to the same state share one
 * point of it, and what follows: many lines that would run beside each other are one.
 */
const createWiring = (order: readonly string[]) => {
  const ports = new Map<string, Map<string, ElkPort>>();
  const pieces = new Map<string, Map<string, ElkExtendedEdge>>();
  const within = <Part>(parts: Map<string, Map<string, Part>>, group: string): Map<string, Part> => {
    const found = parts.get(group) ?? new Map<string, Part>();
    parts.set(group, found);
    return found;
  };
  const port = (group: string, to: string, side: string): string => {
    const id = `${group} ${side} ${to}`;
    within(ports, group).set(id, { id, layoutOptions: { 'elk.port.side': side } });
    return id;
  };
  const piece = (group: string, from: string, to: string, isForward: boolean): string => {
    const id = `${from}→${to} in ${group}`;
    const layoutOptions = { 'elk.layered.priority.direction': isForward ? FORWARD_PRIORITY : '0' };
    within(pieces, group).set(id, { id, sources: [from], targets: [to], layoutOptions });
    return id;
  };
  /** The groups around a state that another group contains, from the innermost on. */
  const groupsUpTo = (outer: string, id: string): string[] => {
    const groups: string[] = [];
    for (let group = groupOf(id); group !== outer; group = groupOf(group)) groups.push(group);
    return groups;
  };
  /** Lays a line; returns its pieces' ids from beginning to end. */
  const connect = (from: string, to: string): string[] => {
    let shared = isIn(from, to) ? from : groupOf(from);
    while (!isIn(shared, to)) shared = groupOf(shared);
    const [out, into] = [from === shared ? [] : groupsUpTo(shared, from), groupsUpTo(shared, to).reverse()];
    const isForward = order.indexOf(out.at(-1) ?? from) <= order.indexOf(into[0] ?? to);
    const isDown = isDownIn(shared);
    const leaving = out.map((group) => port(group, to, sideOf(isDown, !isForward)));
    const entering = into.map((group) => port(group, to, sideOf(isDown, isForward)));
    const begin = from === shared ? port(from, to, sideOf(isDown, false)) : from;
    const stops = [begin, ...leaving, ...entering, to];
    return [...out, shared, ...into].map((group, i) => piece(group, stops[i]!, stops[i + 1]!, isForward));
  };
  return {
    connect,
    portsOf: (group: string): ElkPort[] => [...within(ports, group).values()],
    piecesIn: (group: string): ElkExtendedEdge[] => [...within(pieces, group).values()],
  };
};

type Wiring = Pick<ReturnType<typeof createWiring>, 'portsOf' | 'piecesIn'>;

const elkNode = (node: AnyStateNode, wiring: Wiring): ElkNode => {
  const id = pathOf(node);
  const kind = kindOf(node);
  if (kind !== 'group') return { id, ...SIZES[kind] };
  const layoutOptions = {
    ...OPTIONS,
    'elk.direction': isDownIn(id) ? 'DOWN' : 'RIGHT',
    'elk.padding': id === '' ? WHOLE_PADDING : GROUP_PADDING,
    'elk.portConstraints': 'FIXED_SIDE',
  };
  const children = Object.values(node.states).map((child) => elkNode(child, wiring));
  return { id, layoutOptions, children, ports: wiring.portsOf(id), edges: wiring.piecesIn(id) };
};

const withChildren = (node: ElkNode): ElkNode[] => [node, ...(node.children ?? []).flatMap(withChildren)];

/** The points of a line that its pieces make, without those in the middle of a straight part. */
const joined = (sections: readonly ElkEdgeSection[]): ChartPoint[] => {
  const points = sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }))
    .filter(({ x, y }, i, all) => i === 0 || x !== all[i - 1]!.x || y !== all[i - 1]!.y);
  const isStraight = (axis: 'x' | 'y', i: number): boolean =>
    points[i - 1]?.[axis] === points[i]![axis] && points[i]![axis] === points[i + 1]?.[axis];
  return points.filter((_, i) => !isStraight('x', i) && !isStraight('y', i));
};

/**
 * Lays out the task machine from its definition alone: every state, and one line for all transitions between two. Takes
 * about a second, so it runs when the console is built and only coordinates are shipped. The same machine gives the
 * same chart.
 */
export const chartLayout = async (): Promise<Chart> => {
  const { root } = taskMachine;
  const [, ...states] = statesOf(root);
  const wiring = createWiring(states.map(pathOf));
  const leading = arrows.flatMap(({ from, to }) => (to === null ? [] : [{ id: `${from}→${to}`, from, to }]));
  const edges = [...new Map(leading.map((edge) => [edge.id, edge])).values()];
  const piecesOf = new Map(edges.map(({ id, from, to }) => [id, wiring.connect(from, to)]));
  const groups = withChildren(await new Elk().layout(elkNode(root, wiring)));
  const places = new Map(groups.map((node) => [node.id, node]));
  const sections = new Map(
    groups.flatMap((group) => (group.edges ?? []).map(({ id, sections }) => [id, sections![0]!] as const)),
  );
  return {
    machine: MACHINE,
    arrows,
    nodes: states.map((node) => {
      const { id, x = 0, y = 0, width = 0, height = 0 } = places.get(pathOf(node))!;
      const effect = entryActions(node).find((action) => /^(model|tool|verify)\./.test(action)) ?? null;
      return { id, kind: kindOf(node), effect, x, y, width, height };
    }),
    edges: edges.map((edge) => ({ ...edge, points: joined(piecesOf.get(edge.id)!.map((id) => sections.get(id)!)) })),
  };
};

/** The module with the chart, by the name that imports use. */
const NAME = 'virtual:chart';
const RESOLVED = `\0${NAME}`;

const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value) : value);

/** Provides the laid-out task machine to the console's code: it contains the coordinates, not the layout library. */
export const chartPlugin = (): Plugin => ({
  name: 'chart',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  load: async (id) =>
    id === RESOLVED ? `export const chart = ${JSON.stringify(await chartLayout(), rounded)};` : null,
});
