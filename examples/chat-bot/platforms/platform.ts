import type { Button } from '../buttons.ts';
import type { SentFile } from '../sent-file.ts';

/** Longest that a call of a platform may take, in milliseconds: one that is never answered would hold up all replies of its chat. */
export const CALL_MS_MAX = 30_000;

/** Where the bot shows things. Texts are plain: whatever stands in them is shown as it stands, and never formats or mentions anything. */
export interface Platform {
  /** As the adapter calls it: the first part of its threads' ids. */
  readonly name: string;
  /** Longest message, in UTF-16 units. */
  readonly textMax: number;
  /** How often a message may be edited, in milliseconds between two edits; null where it cannot be. */
  readonly editEveryMs: number | null;
  /** Posts a message and gives its id. */
  post(thread: string, text: string, buttons: readonly Button[]): Promise<string>;
  /** Puts this in the place of a message's text and buttons; nothing happens where that cannot be. */
  edit(thread: string, message: string, text: string, buttons: readonly Button[]): Promise<void>;
  /** Sends a file; throws where the platform does not take it. */
  sendFile(thread: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Gets the bytes of a file that a user sent; throws where the platform does not give them. */
  fetchFile(file: SentFile): Promise<Uint8Array<ArrayBuffer>>;
  /** Says something to one user, alone where the platform can do that. */
  tell(thread: string, user: string, text: string): Promise<void>;
}
