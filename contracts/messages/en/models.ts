/** The settings of a model's server, as its errors name them: variables of the environment, or words for what is set in code. */
export interface ModelSettings {
  model: string;
  key: string;
  url: string;
}

/** Why a model brought no answer, and what a person can do about it (SPEC 9). A reason is a clause, a remedy whole sentences. */
export const models = {
  inCode: {
    model: 'the model in tripact.config.ts',
    key: "the provider's API key",
    url: "the provider's baseURL",
  } as ModelSettings,
  gaveUp: (reason: string, tries: number) => `${reason}; gave up after ${tries} tries`,
  withRemedy: (reason: string, remedy: string) => `${reason}. ${remedy}`,

  tooSlow: (seconds: number) => `it took longer than ${seconds} s`,
  connectionFailed: (code: string | null) =>
    code === null ? 'the connection failed' : `the connection failed (${code})`,
  refused: (status: number, said: string) => `the server answered ${status}: ${said}`,
  notMade: (said: string) => `the call could not be made: ${said}`,
  htmlPage: 'an HTML page',
  stopped: (ms: number) => `the answer stopped coming for ${ms} ms`,
  brokeOff: 'the answer broke off on its way',
  tooManyBytes: (max: number) => `the answer is longer than ${max} bytes`,
  emptyBody: 'the server answered 200 with an empty body',
  htmlBody: 'the server answered 200 with an HTML page',
  brokenJson: 'the server answered 200 with broken JSON',
  noMessage: 'the server answered 200 with something that is no message',
  streamUnfinished: (end: string) => `the stream ended without ${end}`,
  failedInside: 'the server ended the answer with an error',

  raiseTimeout: ({ url }: ModelSettings) => `Raise TRIPACT_MODEL_TIMEOUT_MS, or check ${url}.`,
  checkServer: ({ url }: ModelSettings) => `Check ${url}, or try again later.`,
  checkNetwork: ({ url }: ModelSettings) => `Check ${url} and the network.`,
  checkSettings: ({ url, key }: ModelSettings) => `Check ${url} and ${key}.`,
  raiseSpendLimit: "Raise the spend limit in the provider's console, or wait until it renews.",
  tryLater: 'The server has trouble of its own: try again later.',
  raiseRateLimit: ({ key }: ModelSettings) => `Try again later, or raise the rate limit of ${key}.`,
  waitFor: (seconds: number) => `The server asks to wait ${seconds} s: try again then.`,
  largerContext: ({ model }: ModelSettings) => `Set ${model} to a model with a larger context, or start a new task.`,
  checkModel: ({ model, url }: ModelSettings) => `Check that ${model} names a model of the server at ${url}.`,
  checkKey: ({ key }: ModelSettings) => `Check ${key}.`,
  checkBilling: ({ key }: ModelSettings) => `Check the billing of the account that ${key} belongs to.`,
  checkRights: ({ key, model }: ModelSettings) => `Check that ${key} may use the model in ${model}.`,
  checkPath: ({ model, url }: ModelSettings, end: 'none' | 'v1' | null) => {
    if (end === null) return `Check ${model} and ${url}.`;
    return `Check ${model}, and that ${url} ${end === 'v1' ? 'ends where /chat/completions begins, mostly with /v1' : 'has no /v1 at its end'}.`;
  },
  requestTooLarge: ({ url }: ModelSettings) => `The request is too large for the server at ${url}: start a new task.`,
};
