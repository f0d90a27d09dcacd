/** The choice whether a server is asked to stream: not after a stream of it that could not be read, and never again where none ever could. */
export interface StreamChoice {
  isOn(): boolean;
  /** A stream came, whole. */
  read(): void;
  /** The response was not a readable stream, or lacked its last event. */
  unread(): void;
  /** It answered when it was not asked to stream. */
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
