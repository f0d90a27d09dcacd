import type { Adapter, Message } from 'chat';
import type { SentFiles } from '../sent-file.ts';
import type { Platform } from './platform.ts';

/** A platform by its adapter of the chat package. */
export interface ChatPlatform extends Platform {
  readonly adapter: Adapter;
  /** Checks, before its adapter is connected, that the platform takes the bot; throws why not. */
  check(): Promise<void>;
  /** The user's text, as it was typed. */
  textOf(message: Message): string;
  /** The pictures and documents that came with it. */
  filesOf(message: Message): SentFiles;
}
