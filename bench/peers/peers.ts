import type { Server } from './server.ts';

/** A peer as the table shows it. */
export interface PeerCard {
  /** Its file, without `.ts`. */
  name: string;
  label: string;
  /** How it can store. Measures other than the rates use the first. */
  variants: string[];
  /** Starts the server that a variant needs, in an empty folder. Throws if it is not installed. */
  start?: (dir: string, variant: string) => Promise<Server | undefined>;
}

const SYNCS = ['full', 'normal'];

/** The variant on PostgreSQL of a peer that can also store in a file; as durable as `full`. */
const POSTGRES = 'postgres';

const startPostgres = async (dir: string, variant: string): Promise<Server> =>
  (await import('./postgres.ts')).start(dir, variant);

const startWhereAsked = async (dir: string, variant: string): Promise<Server | undefined> =>
  variant === POSTGRES ? startPostgres(dir, variant) : undefined;

/** The compared engines, in the order of the table. The floor comes first, as the base of comparison. */
export const PEERS: PeerCard[] = [
  {
    name: 'floor',
    label: 'floor: a loop, one row an effect',
    variants: ['full', 'full-group', 'normal', 'normal-group'],
  },
  {
    name: 'xstate-pure',
    label: 'XState transition() by hand',
    variants: ['full', 'full-group', 'normal', 'normal-group'],
  },
  { name: 'tripact', label: 'Tripact', variants: ['full', POSTGRES], start: startWhereAsked },
  { name: 'mastra', label: 'Mastra workflow, LibSQL', variants: SYNCS },
  { name: 'openai-agents', label: 'OpenAI Agents SDK (stores per run)', variants: SYNCS },
  { name: 'langgraph', label: 'LangGraph.js, its savers', variants: [...SYNCS, POSTGRES], start: startWhereAsked },
  {
    name: 'dbos',
    label: 'DBOS Transact, PostgreSQL',
    variants: SYNCS,
    start: startPostgres,
  },
  {
    name: 'restate',
    label: 'Restate',
    variants: SYNCS,
    start: async (dir, variant) => (await import('./restate-server.ts')).start(dir, variant),
  },
];
