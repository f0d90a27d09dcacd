/** One reply as the user of a chat front end sees it. */
export interface Shown {
  /** The reply: an answer, a question, a pause, a command's output. */
  text: string;
  /** The progress lines before it. */
  progress: string[];
  /** Choices of a question; empty: none. */
  options: string[];
  /** The pending action; null: none. */
  approval: { tool: string; input: string } | null;
  /** The error that ended the reply for the user; null: none. */
  error: string | null;
}

/** A message that was sent and whose reply is not over. */
export interface Running {
  shown: Promise<Shown>;
  /** Stops the task as this front end's stop button does. */
  cancel(): Promise<void>;
  /** Closes the connection silently; `shown` is then irrelevant. */
  disconnect(): void;
}

/** A photo that a user sends beside words. */
export interface Photo {
  name: string;
  mediaType: string;
  bytes: Buffer;
}

/** One conversation in a front end. Its state is the front end's own, as for its users. */
export interface Conversation {
  /** The Tripact session behind it. */
  readonly session: string;
  say(text: string, photo?: Photo): Promise<Shown>;
  /** Sends a message and does not wait for its reply. */
  start(text: string): Promise<Running>;
  /** Answers the shown question with one of its options, as this front end does it. */
  choose(option: string): Promise<Shown>;
  /** Answers the shown approval, as this front end does it. */
  decide(isApproved: boolean): Promise<Shown>;
  /**
   * Sees the rest of a running reply after a disconnect, and resolves once connected; absent if the protocol does not
   * support that.
   */
  reconnect?(): Promise<Pick<Running, 'shown'>>;
}

/** A front end by its real client package, connected to the service at `url`. Each call of it starts a conversation. */
export type FrontEnd = (url: () => string) => () => Conversation;
