/** Everything that an agent gets for one dialogue. */
export interface Setting {
  /** Its own folder. */
  dir: string;
  /** The dialogue's tools, as an MCP server. */
  tools: string;
  /** The model's server, without `/v1`. */
  model: string;
}

/** An agent in one dialogue, which it remembers. */
export interface Agent {
  /** Says something and waits for the answer. Rejects if there is none. */
  turn(said: string): Promise<void>;
  close(): Promise<void>;
}

/** The operator's instructions for an agent without built-in ones. */
export const INSTRUCTIONS = 'Do what the user asks for.';

export type Open = (setting: Setting) => Promise<Agent>;
