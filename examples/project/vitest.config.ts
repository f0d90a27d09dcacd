import { defineConfig } from 'vitest/config';

// Each test runs the whole service, which takes longer than Vitest's five seconds on a busy machine.
export default defineConfig({ test: { testTimeout: 60_000 } });
