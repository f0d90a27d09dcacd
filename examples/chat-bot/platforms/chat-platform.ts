import type { Adapter, Message } from 'chat';
import type { Platform } from './platform.ts';

/** A platform by its adapter of the chat package. */
export interface ChatPlatform extends Platform {
  readonly adapter: Adapter;
  /** Checks, once its adapter is connected, that the platform takes the bot; throws why not. */
  ready(): Promise<void>;
  /** What a user typed, as it was typed. */
  textOf(message: Message): string;
}
