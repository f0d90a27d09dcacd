// Loaded by `--import`: the service's machine then has the next version.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/machines/task-machine.ts')) return loaded;
    return { ...loaded, source: String(loaded.source).replace('tripact-task@4', 'tripact-task@5') };
  },
});
