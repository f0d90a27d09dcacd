import type { TurnView } from '../../../../contracts/turn-view.ts';
import type { ConversationUpdate } from '../conversations.ts';

/**
 * Most turns whose answers are kept as they were shown. For older turns a stream shows the stored answer as a whole.
 */
const TURNS_KEPT_MAX = 500;

type LiveUpdate = Extract<ConversationUpdate, { type: 'answer_delta' | 'answer_retracted' }>;

/** The pieces of a turn's answers that were shown, each with the number of stored updates before it. */
interface Shown {
  readonly pieces: { readonly at: number; readonly update: LiveUpdate }[];
  /** The answer's text, as far as it was not retracted. */
  text: string;
  /** A stream is adding to it; the others repeat what that stream adds. */
  isWritten: boolean;
}

const isLive = (update: ConversationUpdate): update is LiveUpdate =>
  update.type === 'answer_delta' || update.type === 'answer_retracted';

/**
 * Keeps what streams have shown of answers while models wrote them, which no trace contains. So all later streams of
 * the turn have the same updates in the same order, and a resumed one repeats no text. Lives only in memory: after a
 * restart the stored answer is shown as a whole.
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
    /** A turn's updates, with the shown pieces of its answers in their places. The first `live` stream adds to them. */
    ordered: async function* (
      turn: TurnView,
      updates: AsyncIterable<ConversationUpdate>,
      live: boolean,
    ): AsyncGenerator<ConversationUpdate> {
      const shown = live ? shownOf(turn) : turns.get(turn.id);
      if (shown === undefined) return yield* updates;
      const writes = live && !shown.isWritten;
      if (writes) shown.isWritten = true;
      /**
       * Text that another stream left unfinished. This stream may begin with the same text, or with that of another
       * attempt.
       */
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
