/** All that an agent is given for one dialogue. */
export interface Setting {
  /** A folder of its own. */
  dir: string;
  /** The dialogue's tools, as an MCP server. */
  tools: string;
  /** The model's server, without `/v1`. */
  model: string;
}

/** An agent in one dialogue, which it remembers. */
export interface Agent {
  /** Says something, and waits for the answer. Rejects where there is none. */
  turn(said: string): Promise<void>;
  close(): Promise<void>;
}

/** What the operator tells an agent that has no words of its own. */
export const INSTRUCTIONS = 'Do what the user asks for.';

export type Open = (setting: Setting) => Promise<Agent>;
