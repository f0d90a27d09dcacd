/** What every call adds, where the model's own default is not wanted. */
export interface CallSettings {
  maxOutputTokens?: number;
  temperature?: number;
  /** False: the contract's schema is not sent. */
  structuredOutput?: boolean;
}
