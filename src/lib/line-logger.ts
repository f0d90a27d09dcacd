/** A logger of an embedding program, as pino's are. */
export interface LineLogger {
  /** The lowest level that it writes; absent: TRIPACT_LOG_LEVEL. */
  readonly level?: string;
  fatal(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  debug(fields: object, message?: string): void;
  trace(fields: object, message?: string): void;
}
