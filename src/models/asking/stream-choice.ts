/**
 * Decides whether to ask a server to stream: not right after a stream that could not be read, and never again if none
 * ever could.
 */
export interface StreamChoice {
  isOn(): boolean;
  /** A complete stream arrived. */
  read(): void;
  /** The response was not a readable stream, or lacked its last event. */
  unread(): void;
  /** It answered a request without streaming. */
  answeredWhole(): void;
}

export const createStreamChoice = (): StreamChoice => {
  let isOn = true;
  let wasRead = false;
  return {
    isOn: () => isOn,
    read: () => {
      wasRead = true;
    },
    unread: () => {
      isOn = false;
    },
    answeredWhole: () => {
      isOn ||= wasRead;
    },
  };
};
