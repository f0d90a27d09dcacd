import { defineConfig } from '../../src/app/define-config.ts';
import { benchModel, benchTool } from '../task-of-31.ts';

/** The service with a model and a tool that answer at once, so that an effect costs its own machinery alone. */
export default defineConfig({
  settings: { TRIPACT_REPLAN: 'always', TRIPACT_LOG_LEVEL: 'silent' },
  model: benchModel(),
  tools: [benchTool()],
  builtinTools: [],
  limits: { requests_per_second: 100_000 },
});
