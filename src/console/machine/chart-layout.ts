import { createRequire } from 'node:module';
import type { ELK, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Plugin } from 'vite';
import type { AnyStateNode } from 'xstate';
import { type Arrow, entryActions, pathOf, statesOf, taskArrows } from '../../../machines/arrows.ts';
import { MACHINE, taskMachine } from '../../../machines/task-machine.ts';
import type { Chart, ChartArrow, ChartEdge, ChartNode } from './chart.ts';

/** By `require`: its types name its default export otherwise for Node than for a bundler. */
const Elk = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as new () => ELK;

/** Sizes in the chart's own units, one of which is a pixel at its natural size. */
const STATE = { width: 108, height: 44 };
const GATE = { width: 108, height: 28 };
const GROUP_PADDING = '[top=34,left=16,bottom=16,right=16]';

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.padding': '[top=12,left=12,bottom=12,right=12]',
  'elk.spacing.nodeNode': '18',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '8',
  'elk.layered.spacing.nodeNodeBetweenLayers': '30',
  'elk.layered.spacing.edgeNodeBetweenLayers': '12',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
};

/** Keeps edges in the order in which the machine names its states pointing down, against any that go back. */
const FORWARD_PRIORITY = '100';

const isGroup = (node: AnyStateNode): boolean => Object.keys(node.states).length > 0;

const labelOf = ({ id, event, guard }: Arrow): ChartArrow => ({ id, event, guard });

const effectOf = (node: AnyStateNode): string | null =>
  entryActions(node).find((action) => /^(model|tool|verify)\./.test(action)) ?? null;

const kindOf = (node: AnyStateNode, arrows: readonly Arrow[]): ChartNode['kind'] => {
  if (isGroup(node)) return 'group';
  const leaving = arrows.filter(({ from, to }) => from === node && to !== null);
  if (leaving.length === 0) return 'final';
  return leaving.every(({ event }) => event === null) ? 'gate' : 'state';
};

/** The transitions that leave their state, by where they lead from and to. */
const bundled = (arrows: readonly Arrow[]): Map<string, { from: string; to: string; arrows: ChartArrow[] }> => {
  const edges = new Map<string, { from: string; to: string; arrows: ChartArrow[] }>();
  for (const arrow of arrows) {
    if (arrow.to === null) continue;
    const [from, to] = [pathOf(arrow.from), pathOf(arrow.to)];
    const id = `${from}→${to}`;
    const edge = edges.get(id) ?? { from, to, arrows: [] };
    edge.arrows.push(labelOf(arrow));
    edges.set(id, edge);
  }
  return edges;
};

const elkNode = (node: AnyStateNode, kind: (node: AnyStateNode) => ChartNode['kind']): ElkNode => {
  if (isGroup(node))
    return {
      id: pathOf(node),
      layoutOptions: { 'elk.padding': GROUP_PADDING },
      children: Object.values(node.states).map((child) => elkNode(child, kind)),
    };
  return { id: pathOf(node), ...(kind(node) === 'gate' ? GATE : STATE) };
};

/** Absolute corners of a laid out node and all inside it. */
const placed = (node: ElkNode, x: number, y: number): [string, { x: number; y: number; node: ElkNode }][] => {
  const at = { x: x + (node.x ?? 0), y: y + (node.y ?? 0) };
  return [[node.id, { ...at, node }], ...(node.children ?? []).flatMap((child) => placed(child, at.x, at.y))];
};

const pointsOf = (edge: ElkExtendedEdge, origin: { x: number; y: number }): ChartEdge['points'] => {
  const [section] = edge.sections ?? [];
  if (section === undefined) throw new Error(`edge ${edge.id} was not routed`);
  const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  return points.map(({ x, y }) => ({ x: Math.round(x + origin.x), y: Math.round(y + origin.y) }));
};

/**
 * Lays the task machine out, from its definition alone: every state, and every transition in an edge or as one that stays. Takes about a
 * second, so it is done when the console is built and only coordinates are shipped. The same machine gives the same chart.
 */
export const chartLayout = async (): Promise<Chart> => {
  const { root } = taskMachine;
  const arrows = taskArrows();
  const kind = (node: AnyStateNode) => kindOf(node, arrows);
  const edges = bundled(arrows);
  const order = statesOf(root).map(pathOf);
  const graph: ElkNode = await new Elk().layout({
    id: '',
    layoutOptions: OPTIONS,
    children: Object.values(root.states).map((node) => elkNode(node, kind)),
    edges: [...edges].map(([id, { from, to }]) => {
      const isForward = order.indexOf(from) < order.indexOf(to);
      return {
        id,
        sources: [from],
        targets: [to],
        layoutOptions: { 'elk.layered.priority.direction': isForward ? FORWARD_PRIORITY : '0' },
      };
    }),
  });
  const places = new Map((graph.children ?? []).flatMap((child) => placed(child, 0, 0)));
  const originOf = (edge: ElkExtendedEdge) =>
    places.get((edge as { container?: string }).container ?? '') ?? { x: 0, y: 0 };
  const stays = (node: AnyStateNode) => arrows.filter(({ from, to }) => from === node && to === null).map(labelOf);
  const laidOut = (node: AnyStateNode): ChartNode => {
    const id = pathOf(node);
    const place = places.get(id);
    if (place === undefined) throw new Error(`state ${id} was not placed`);
    return {
      id,
      key: node.key,
      parent: node.parent === undefined || node.parent === root ? null : pathOf(node.parent),
      kind: kind(node),
      effect: effectOf(node),
      x: Math.round(place.x),
      y: Math.round(place.y),
      width: Math.round(place.node.width ?? 0),
      height: Math.round(place.node.height ?? 0),
      stays: stays(node),
    };
  };
  return {
    machine: MACHINE,
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    nodes: statesOf(root).slice(1).map(laidOut),
    edges: (graph.edges ?? []).map((edge) => ({
      id: edge.id,
      ...edges.get(edge.id)!,
      points: pointsOf(edge, originOf(edge)),
    })),
    everywhere: stays(root),
  };
};

/** The module that has the chart, by the name under which it is imported. */
const NAME = 'virtual:chart';
const RESOLVED = `\0${NAME}`;

/** Gives the console's code the task machine laid out: its coordinates are built in, and what laid it out is not. */
export const chartPlugin = (): Plugin => ({
  name: 'chart',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  load: async (id) => (id === RESOLVED ? `export const chart = ${JSON.stringify(await chartLayout())};` : null),
});
