/**
 * What a `tripact.config.ts` may import from `tripact`: the one public file of the package. Everything else is the service's own
 * and may change without notice.
 */
export { defineConfig, type TripactConfig } from './app/config/define-config.ts';
export {
  type DefinedToolCall,
  type DefinedToolOutput,
  defineTool,
  type ToolDefinition,
} from './tools/define-tool.ts';
