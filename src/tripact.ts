/** The public file of the package: everything else is the service's own and may change without notice. */

export { createTripact } from './app/create-tripact.ts';
export { defineConfig, type TripactConfig } from './app/define-config.ts';
export type {
  AnswerOf,
  EmbeddedAnswerSchema,
  EmbeddedSession,
  EmbeddedTurn,
  Tripact,
  TripactOptions,
  Turn,
  TurnStream,
} from './app/embedding.ts';
export type { LineLogger } from './lib/line-logger.ts';
export {
  type DefinedToolCall,
  type DefinedToolFile,
  type DefinedToolOutput,
  defineTool,
  type ToolDefinition,
} from './tools/define-tool.ts';
export type { Approval, ApprovalPolicy, PolicyCall, PolicyVerdict } from './tools/port.ts';
