import type { Platform } from './platforms/platform.ts';
import type { SentFile } from './sent-file.ts';

/** A message of a user. */
export interface Incoming {
  key: string;
  platform: Platform;
  thread: string;
  session: string;
  /** Empty for files alone. */
  text: string;
  files?: SentFile[];
}

/** A button that a user pressed. */
export interface Press {
  platform: Platform;
  thread: string;
  message: string;
  user: { id: string; name: string };
  action: string;
}

/** Hands messages from the platforms to Tripact, and replies back. */
export interface Relay {
  /** Keeps a message, and sees to its reply in the background. A message that came before is passed over. */
  receive(message: Incoming): Promise<void>;
  /** Does what a button says; tells the user where that is over. */
  press(press: Press): Promise<void>;
  /** Goes on with what a stop or a crash of the bot left open. */
  resume(): void;
  /** Stops; what is open stays so for the next start. */
  stop(): Promise<void>;
}
