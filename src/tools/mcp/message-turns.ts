import { createLoopSlices } from '../../event-loop/loop-slices.ts';

/** Messages of all MCP servers are parsed and validated a few in each turn of the event loop, the servers by turns: each of many that come at once may take 20 ms. */
export const messageTurns = createLoopSlices();
