import type { TurnView } from '../../../../contracts/turn-view.ts';
import type { ConversationUpdate } from '../conversations.ts';

/** Turns whose answers are kept as they were shown; of an older one a stream shows the stored answer whole. */
const TURNS_KEPT_MAX = 500;

type LiveUpdate = Extract<ConversationUpdate, { type: 'answer_delta' | 'answer_retracted' }>;

/** The pieces of a turn's answers that were shown, each with how many stored updates came before it. */
interface Shown {
  readonly pieces: { readonly at: number; readonly update: LiveUpdate }[];
  /** The text of the answer that is not retracted. */
  text: string;
  /** A stream adds to it; the others repeat what that one adds. */
  isWritten: boolean;
}

const isLive = (update: ConversationUpdate): update is LiveUpdate =>
  update.type === 'answer_delta' || update.type === 'answer_retracted';

/**
 * Keeps what streams have shown of answers while models wrote them, which no trace has: so every later stream of the turn has
 * the same updates in the same order, and one that is resumed shows no text twice. In memory alone: after a restart the stored
 * answer is shown whole.
 */
export const createAnswersShown = () => {
  const turns = new Map<string, Shown>();

  const shownOf = ({ id }: TurnView): Shown => {
    const known = turns.get(id);
    if (known !== undefined) return known;
    const [oldest] = turns.keys();
    if (oldest !== undefined && turns.size >= TURNS_KEPT_MAX) turns.delete(oldest);
    const shown: Shown = { pieces: [], text: '', isWritten: false };
    turns.set(id, shown);
    return shown;
  };

  const add = (shown: Shown, at: number, update: LiveUpdate): void => {
    if (update.type === 'answer_retracted' && shown.text === '') return;
    shown.pieces.push({ at, update });
    shown.text = update.type === 'answer_retracted' ? '' : shown.text + update.text;
  };

  return {
    /** A turn's updates, with what was shown of its answers at its place. The first stream that is `live` adds to that. */
    ordered: async function* (
      turn: TurnView,
      updates: AsyncIterable<ConversationUpdate>,
      live: boolean,
    ): AsyncGenerator<ConversationUpdate> {
      const shown = live ? shownOf(turn) : turns.get(turn.id);
      if (shown === undefined) return yield* updates;
      const writes = live && !shown.isWritten;
      if (writes) shown.isWritten = true;
      /** Text that another stream left open: this one may begin with the same text, or with that of another attempt. */
      let left = writes ? shown.text : '';
      let stored = 0;
      let next = 0;
      function* upToHere(): Generator<LiveUpdate> {
        for (let piece = shown!.pieces[next]; piece !== undefined && piece.at <= stored; piece = shown!.pieces[next]) {
          next += 1;
          yield piece.update;
        }
      }
      try {
        for await (const update of updates) {
          if (writes && isLive(update)) {
            const isRest = update.type === 'answer_delta' && left !== '' && update.text.startsWith(left);
            if (left !== '' && update.type === 'answer_delta' && !isRest)
              add(shown, stored, { type: 'answer_retracted' });
            add(shown, stored, isRest ? { ...update, text: update.text.slice(left.length) } : update);
            left = '';
          }
          yield* upToHere();
          if (isLive(update)) continue;
          stored += 1;
          yield update;
        }
      } finally {
        if (writes) shown.isWritten = false;
      }
    },
  };
};
