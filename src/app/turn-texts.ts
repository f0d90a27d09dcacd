import type { TurnView } from '../../contracts/turn-view.ts';
import { createConversations } from '../http/protocols/conversations.ts';
import { renderTurn } from '../http/protocols/render-turn.ts';
import type { App } from './app.ts';

/**
 * The text of a turn's reply, piece by piece, while it is written, and to its end. Whoever stops reading stops only the
 * reading.
 */
export async function* turnTexts(
  { engine, metrics }: Pick<App, 'engine' | 'metrics'>,
  owner: string,
  turn: TurnView,
  signal: AbortSignal,
): AsyncGenerator<string> {
  // A program that embeds the service reads the files itself.
  const noFiles = { files: { written: async () => [] }, fileLinks: null };
  const { updates } = createConversations({ engine, metrics, traceOf: () => undefined, ...noFiles });
  const left = new AbortController();
  try {
    const followed = updates(owner, turn, AbortSignal.any([signal, left.signal]), true);
    yield* renderTurn<string>(followed, { text: { delta: (text) => [text] } });
  } finally {
    left.abort();
  }
}
