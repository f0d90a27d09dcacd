import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A call of a tool, with named arguments. */
export interface Call {
  tool: string;
  args: Record<string, unknown>;
}

/** A dialogue of the benchmark: what its user says in each turn, and the calls that answer it. */
export interface Dialogue {
  id: string;
  turns: { user: string; calls: Call[] }[];
}

/**
 * When the process is killed: as the model is asked for a call, or during the call, before or after it was performed.
 */
export interface Kill {
  call: number;
  when: 'asked' | 'sent' | 'done';
}

/** A dialogue for one agent to play. */
export interface Job {
  run: string;
  dialogue: Dialogue;
  kill: Kill;
}

/** Everything that an agent gets. */
export interface Setting {
  /** The folder for its storage. */
  dir: string;
  /** Its tools, as an MCP server. */
  url: string;
  /** The model: the next call of a turn, given the user's words and the results so far; null: the turn is done. */
  next(said: string, results: string[]): Promise<Call | null>;
}

/** An agent with the tools of one dialogue and its stored state. */
export interface Agent {
  /** Says something and waits for the answer. `isAgain`: it was already said to a process that was killed. */
  turn(number: number, said: string, isAgain: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The words of a tool result for a call whose execution is unknown. */
const UNKNOWN = /outcome (?:is )?unknown/i;

/** The scripted model of all agents. When an outcome is unknown it checks what was done, as a careful model would. */
const modelOf = ({ run, dialogue, kill }: Job, server: string, dieOnce: () => void): Setting['next'] => {
  const offsets = dialogue.turns.map((_, turn) => dialogue.turns.slice(0, turn).flatMap(({ calls }) => calls).length);
  return async (said, results) => {
    const turn = Number(/^\[(\d+)\]/.exec(said)?.[1]);
    const { calls } = dialogue.turns[turn]!;
    const offset = offsets[turn]!;
    const done = results.some((each) => UNKNOWN.test(each))
      ? Number(await (await fetch(`${server}/performed/${run}`)).text()) - offset
      : results.length;
    if (kill.when === 'asked' && kill.call === offset + done) dieOnce();
    return calls[done] ?? null;
  };
};

/** Plays the jobs of a file, from where the last process was killed: `node <agent>.ts <jobs> <dir> <server>`. */
export const play = async (meta: ImportMeta, open: (setting: Setting) => Promise<Agent>): Promise<void> => {
  if (!meta.main) return;
  const [jobs = '', dir = '', server = ''] = process.argv.slice(2);
  const progress = join(dir, 'progress');
  const lines = existsSync(progress) ? readFileSync(progress, 'utf8').split('\n') : [];
  const note = (line: string): void => appendFileSync(progress, `${line}\n`);
  for (const job of JSON.parse(readFileSync(jobs, 'utf8')) as Job[]) {
    const { run, dialogue } = job;
    if (lines.includes(`${run} ended`) || lines.includes(`${run} lost`)) continue;
    const died = `${run} died`;
    const dieOnce = (): void => {
      if (lines.includes(died)) return;
      note(died);
      process.kill(process.pid, 'SIGKILL');
    };
    const own = join(dir, run);
    mkdirSync(own, { recursive: true });
    const agent = await open({
      dir: own,
      url: `${server}/mcp/${run}/${process.pid}`,
      next: modelOf(job, server, dieOnce),
    });
    for (const [number, { user }] of dialogue.turns.entries()) {
      if (lines.includes(`${run} answered ${number}`)) continue;
      const said = `${run} said ${number}`;
      const isAgain = lines.includes(said);
      if (!isAgain) note(said);
      await agent.turn(number, `[${number}] ${user}`, isAgain);
      note(`${run} answered ${number}`);
    }
    await agent.close();
    note(`${run} ended`);
  }
  process.exit(0);
};
