/** One reply as the user of a chat front end sees it. */
export interface Shown {
  /** The reply: an answer, a question, a pause, a command's output. */
  text: string;
  /** The lines of progress that came before it. */
  progress: string[];
  /** Choices of a question; empty for none. */
  options: string[];
  /** The action that waits for a yes; null where none does. */
  approval: { tool: string; input: string } | null;
  /** The error that ended the reply, in the user's eyes; null where none did. */
  error: string | null;
}

/** A message that was sent, and whose reply is not over. */
export interface Running {
  shown: Promise<Shown>;
  /** Stops the task as this front end's stop button does. */
  cancel(): Promise<void>;
  /** Closes the connection without a word; `shown` then does not matter any more. */
  disconnect(): void;
}

/** One conversation in a front end. Its state is the front end's own, as its users have it. */
export interface Conversation {
  /** The Tripact session behind it. */
  readonly session: string;
  say(text: string): Promise<Shown>;
  /** Sends a message and does not wait for its reply. */
  start(text: string): Promise<Running>;
  /** Answers the question that is shown with one of its options, as this front end does it. */
  choose(option: string): Promise<Shown>;
  /** Answers the approval that is shown, as this front end does it. */
  decide(isApproved: boolean): Promise<Shown>;
  /** Sees the rest of a running reply after a disconnect, and resolves once it is connected; absent where the protocol has no such thing. */
  reconnect?(): Promise<Pick<Running, 'shown'>>;
}

/** A front end by its real client package, connected to the service at `url`. Each call of it begins a conversation. */
export type FrontEnd = (url: () => string) => () => Conversation;
