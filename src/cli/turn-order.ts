/** What one of several turns at once shows. */
export interface OrderedOutput {
  /** The turn works on a task: from here on it shows nothing before the turns ahead of it have ended. */
  begin(): void;
  /** Runs `print` now, or later in the turn's order. */
  show(print: () => void): void;
  /** The turn has ended, and shows nothing more. */
  end(): void;
}

/** The order in which turns of one session show what they lead to. */
export interface TurnOrder {
  /** A turn that is sent: the last in order, but for an answer, which the session takes before what waits in its queue. */
  open(sent: { isAnswer: boolean }): OrderedOutput;
}

interface Turn {
  isOnTask: boolean;
  isEnded: boolean;
  later: (() => void)[];
}

/**
 * Keeps the order of turns that are followed at once. Each has a connection of its own, so what a later turn leads to may arrive before
 * the end of an earlier one. What works on no task, such as most commands, is shown at once.
 */
export const createTurnOrder = (): TurnOrder => {
  const turns: Turn[] = [];

  const showNext = (): void => {
    for (let first = turns[0]; first !== undefined; first = turns[0]) {
      for (const print of first.later.splice(0)) print();
      if (!first.isEnded) return;
      turns.shift();
    }
  };

  return {
    open: ({ isAnswer }) => {
      const turn: Turn = { isOnTask: false, isEnded: false, later: [] };
      if (isAnswer) turns.unshift(turn);
      else turns.push(turn);
      return {
        begin: () => {
          turn.isOnTask = true;
        },
        show: (print) => {
          if (turn.isOnTask && turn !== turns[0]) turn.later.push(print);
          else print();
        },
        end: () => {
          turn.isEnded = true;
          showNext();
        },
      };
    },
  };
};
