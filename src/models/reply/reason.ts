import type { Messages } from '../../../contracts/messages/messages.ts';

/** Why a model's text is refused, once the language is chosen. Never quotes the text. */
export type Reason = (texts: Messages) => string;

/** Why a value in it can't be read: the part of a reason that says what is wrong with the JSON. */
export type Fault = (texts: Messages['modelReply']['fault']) => string;

/** The reason that a fault is. */
export const unreadable =
  (fault: Fault): Reason =>
  ({ modelReply }) =>
    modelReply.unreadable(fault(modelReply.fault));
