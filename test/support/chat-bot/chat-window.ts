import type { FrontEnd, Running, Shown } from '../front-ends/front-end.ts';
import { shownText } from '../front-ends/shown-text.ts';

/** A message of the bot as the user sees it now. */
export interface Seen {
  id: string;
  text: string;
  buttons: { label: string; action: string }[];
  /** The only user who sees it; null: everybody does. */
  only: string | null;
  /** How often it was edited. */
  edits: number;
}

/** A chat with the bot, open on a user's screen. */
export interface ChatWindow {
  /** The Tripact session behind it. */
  readonly session: string;
  /** All messages of the bot, oldest first. */
  seen(): Seen[];
  type(text: string): Promise<void>;
  press(message: Seen, label: string, user?: string): Promise<void>;
  /** Resolves with the result of `find` as soon as there is one. */
  until<Found>(find: (seen: Seen[]) => Found | undefined): Promise<Found>;
}

/** Marks before progress, and before nothing else. */
const PROGRESS = /^(⏳|✅|❓|⏸|❌|🛑) ?/u;

export const isProgress = ({ text }: Seen): boolean => PROGRESS.test(text);

const INTERRUPTED = /The connection to Tripact is lost.*|Tripact cannot be reached.*/;

const optionsOf = ({ buttons }: Seen): string[] =>
  buttons.filter(({ action }) => action.startsWith('a:')).map(({ label }) => label);

/** The messages that are not progress. */
const toldIn = (seen: Seen[]): Seen[] => seen.filter((message) => !isProgress(message));

/** The replies, which everybody in the chat sees. */
export const repliesIn = (seen: Seen[]): Seen[] => toldIn(seen).filter(({ only }) => only === null);

/** A test's control of the bot behind a chat. */
export interface BotControl {
  /** Makes the bot use the service at this address. */
  connect(url: () => string): void;
  crash(): void;
  restart(): Promise<unknown>;
  /** The platform has no buttons: the user types the answers. */
  isByText?: boolean;
}

/**
 * A chat platform with the bot in it as a front end of the shared story. Losing the connection means losing the bot.
 */
export const chatFrontEnd =
  (open: () => ChatWindow, { connect, crash, restart, isByText = false }: BotControl): FrontEnd =>
  (url) => {
    connect(url);
    return () => {
      const chat = open();
      let sent = 0;

      /** Sees the result of a sent message: its reply, or the loss of the connection. */
      const shown = async (nth: number, from: number): Promise<Shown> => {
        const found = await chat.until((seen) => {
          const reply = toldIn(seen)[nth];
          const lost = seen.slice(from).find(({ text }) => INTERRUPTED.test(text));
          return reply ?? lost;
        });
        const before = chat.seen().slice(from);
        const progress = before.find(isProgress)?.text.replace(PROGRESS, '') ?? '';
        const error = INTERRUPTED.exec(found.text)?.[0] ?? null;
        const { approval, options } = shownText(found.text, progress);
        const shownOptions = isByText ? options : optionsOf(found);
        return { ...shownText(found.text, progress), options: approval === null ? shownOptions : [], error };
      };
      const send = async (act: () => Promise<void>): Promise<Running> => {
        // A pending reply has to be seen first, or it would count as the next one.
        if (sent > 0) await chat.until((seen) => (toldIn(seen).length >= sent ? true : undefined));
        const [nth, from] = [sent++, chat.seen().length];
        await act();
        return {
          shown: shown(nth, from),
          cancel: async () => {
            if (isByText) {
              sent++;
              return chat.type('/cancel');
            }
            const progress = await chat.until((seen) =>
              seen.slice(from).find(({ buttons }) => buttons.some(({ label }) => label === 'Stop')),
            );
            await chat.press(progress, 'Stop');
          },
          disconnect: crash,
        };
      };
      const press = async (find: (message: Seen) => string | undefined): Promise<Shown> => {
        const message = chat.seen().findLast((one) => find(one) !== undefined)!;
        return (await send(() => chat.press(message, find(message)!))).shown;
      };

      const say = async (text: string): Promise<Shown> => (await send(() => chat.type(text))).shown;
      return {
        session: chat.session,
        say,
        start: (text) => send(() => chat.type(text)),
        choose: (option) =>
          isByText ? say(option) : press((message) => optionsOf(message).find((label) => label === option)),
        decide: (isApproved) =>
          isByText ? say(isApproved ? 'yes' : 'no') : press((message) => optionsOf(message)[isApproved ? 0 : 1]),
        reconnect: async () => {
          await restart();
          return { shown: shown(sent - 1, 0) };
        },
      };
    };
  };
