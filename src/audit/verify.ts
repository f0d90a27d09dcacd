import { z } from 'zod';
import { AuditAct, AuditDay, AuditRoot } from '../../contracts/audit.ts';
import { Chain } from '../../contracts/ids.ts';
import { dayAfter } from './days.ts';
import { firstChain, hashOf, nextChain } from './line.ts';

/** An act of a task, whose id no other owner has. */
const OfEntry = z.object({ task_id: z.string(), seq: z.int(), entry: Chain });

/** The chains of traces' entries, by task and then by seq; undefined: the entry has none. */
export type TraceChains = ReadonlyMap<string, ReadonlyMap<number, string | undefined>>;

/** All lines agree, or the first one that does not; lines count from 1. */
export type Verified =
  | { readonly ok: true; readonly days: number; readonly acts: number; readonly compared: number }
  | { readonly ok: false; readonly line: number; readonly message: string };

export interface VerifyOptions {
  /** Roots that were given away: each is a day's root here. */
  readonly roots?: readonly string[];
  /** Traces whose entries are compared with the acts that name them. */
  readonly traces?: TraceChains;
}

/** Thrown by a line that does not agree; `verify` says which one. */
class Disagreement extends Error {}

const disagree = (message: string): never => {
  throw new Disagreement(message);
};

/** Checks of a file, line by line. */
class Check {
  days = 0;
  acts = 0;
  compared = 0;
  readonly #missing: Set<string>;
  readonly #traces: TraceChains | undefined;
  /** The day that has begun and not ended. */
  #open: { day: string; chain: string; acts: number } | null = null;
  #lastDay: string | null = null;

  constructor({ roots = [], traces }: VerifyOptions) {
    this.#missing = new Set(roots);
    this.#traces = traces;
  }

  take(line: unknown): void {
    const root = AuditRoot.safeParse(line);
    if (root.success) return this.#end(root.data);
    const day = AuditDay.safeParse(line);
    if (day.success) return this.#begin(day.data);
    const act = AuditAct.safeParse(line);
    if (!act.success) disagree('it is no line of an audit');
    else this.#act(line as AuditAct);
  }

  end(): void {
    if (this.#lastDay === null) disagree('the file has no day');
    if (this.#open !== null) disagree(`the file ends within ${this.#open.day}`);
    const [missing] = this.#missing;
    if (missing !== undefined) disagree(`no day has the root ${missing}`);
  }

  #begin({ day, chain }: AuditDay): void {
    if (this.#open !== null) disagree(`${this.#open.day} has no end`);
    const expected = this.#lastDay === null ? day : dayAfter(this.#lastDay);
    if (day !== expected) disagree(`${expected} is missing: here begins ${day}`);
    if (chain !== firstChain(day)) disagree(`${day} does not begin with its own chain`);
    this.#open = { day, chain, acts: 0 };
  }

  #act({ hash, chain, ...act }: AuditAct): void {
    if (this.#open === null) return disagree('it stands in no day');
    const isReadable = Object.keys(act).length > 0;
    if (isReadable && hashOf(act) !== hash) disagree('the act is not the one that its hash is of');
    const expected = nextChain(this.#open.chain, hash);
    if (chain !== expected) disagree(`the chain is ${expected} here, and the line says ${chain}`);
    this.#open = { ...this.#open, chain, acts: this.#open.acts + 1 };
    this.acts += 1;
    if (isReadable && this.#traces !== undefined) this.#compare(act, this.#traces);
  }

  #compare(act: object, traces: TraceChains): void {
    const { data } = OfEntry.safeParse(act);
    const chains = data && traces.get(data.task_id);
    if (data === undefined || chains === undefined) return;
    const { seq, task_id, entry } = data;
    if (!chains.has(seq)) disagree(`entry ${seq} of ${task_id} is missing in its trace`);
    if (chains.get(seq) !== entry) disagree(`entry ${seq} of ${task_id} is another one in its trace`);
    this.compared += 1;
  }

  #end({ day, acts, root }: AuditRoot): void {
    if (this.#open?.day !== day) return disagree(`${day} ends without having begun`);
    if (this.#open.chain !== root)
      disagree(`the root of ${day} is ${this.#open.chain} here, and the line says ${root}`);
    if (this.#open.acts !== acts) disagree(`${day} has ${this.#open.acts} acts here, and the line says ${acts}`);
    this.#missing.delete(root);
    this.#lastDay = day;
    this.#open = null;
    this.days += 1;
  }
}

/** Checks an audit's lines: each hash, each chain, each day's root, and the traces that are given. Performs nothing. */
export const verify = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  options: VerifyOptions = {},
): Promise<Verified> => {
  const check = new Check(options);
  let line = 0;
  try {
    for await (const each of lines) {
      line += 1;
      check.take(each);
    }
    check.end();
  } catch (error) {
    if (error instanceof Disagreement) return { ok: false, line, message: error.message };
    throw error;
  }
  const { days, acts, compared } = check;
  return { ok: true, days, acts, compared };
};
