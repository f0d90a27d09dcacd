import { createRequire } from 'node:module';
import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Plugin } from 'vite';
import type { AnyStateNode } from 'xstate';
import { entryActions, pathOf, statesOf, taskArrows } from '../../../machines/arrows.ts';
import { MACHINE, taskMachine } from '../../../machines/task-machine.ts';
import type { Chart, ChartNode } from './chart.ts';

/** By `require`: its types name its default export differently for Node than for a bundler. */
const Elk = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as new () => ELK;

/** Little space and few layers, in the chart's own units: the whole chart is read in a pane that is wider than high. */
const SPACES = {
  'elk.layered.layering.strategy': 'LONGEST_PATH',
  'elk.spacing.nodeNode': '12',
  'elk.spacing.edgeNode': '8',
  'elk.spacing.edgeEdge': '6',
  'elk.layered.spacing.nodeNodeBetweenLayers': '8',
  'elk.layered.spacing.edgeNodeBetweenLayers': '5',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '3',
};

/** Sizes in the chart's own units; one unit is a pixel at natural size. */
const SIZES = {
  state: { width: 116, height: 38 },
  final: { width: 100, height: 34 },
  gate: { width: 116, height: 24 },
  group: { layoutOptions: { 'elk.padding': '[top=28,left=8,bottom=8,right=8]', ...SPACES } },
};

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.randomSeed': '1',
  'elk.padding': '[top=12,left=12,bottom=12,right=12]',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  ...SPACES,
};

/** Makes edges in the machine's order of states point down, in preference to those that go back. */
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

const elkNode = (node: AnyStateNode): ElkNode => ({
  id: pathOf(node),
  children: Object.values(node.states).map(elkNode),
  ...SIZES[kindOf(node)],
});

const withChildren = (node: ElkNode): ElkNode[] => [node, ...(node.children ?? []).flatMap(withChildren)];

/**
 * Lays out the task machine from its definition alone: every state, and one line for all transitions between two. Takes
 * about a second, so it runs when the console is built and only coordinates are shipped. The same machine gives the
 * same chart.
 */
export const chartLayout = async (): Promise<Chart> => {
  const { root } = taskMachine;
  const [, ...states] = statesOf(root);
  const order = states.map(pathOf);
  const leading = arrows.flatMap(({ from, to }) => (to === null ? [] : [{ id: `${from}→${to}`, from, to }]));
  const edges = new Map(leading.map((edge) => [edge.id, edge]));
  const graph: ElkNode = await new Elk().layout({
    ...elkNode(root),
    layoutOptions: OPTIONS,
    edges: [...edges.values()].map(({ id, from, to }) => {
      const priority = order.indexOf(from) < order.indexOf(to) ? FORWARD_PRIORITY : '0';
      const layoutOptions = { 'elk.layered.priority.direction': priority };
      return { id, sources: [from], targets: [to], layoutOptions };
    }),
  });
  const places = new Map(withChildren(graph).map((node) => [node.id, node]));
  return {
    machine: MACHINE,
    arrows,
    nodes: states.map((node) => {
      const { id, x = 0, y = 0, width = 0, height = 0 } = places.get(pathOf(node))!;
      const effect = entryActions(node).find((action) => /^(model|tool|verify)\./.test(action)) ?? null;
      return { id, kind: kindOf(node), effect, x, y, width, height };
    }),
    edges: (graph.edges ?? []).map(({ id, sections }) => {
      const { startPoint, bendPoints = [], endPoint } = sections![0]!;
      return { ...edges.get(id)!, points: [startPoint, ...bendPoints, endPoint] };
    }),
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
