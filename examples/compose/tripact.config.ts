import { defineConfig } from 'tripact';

/** Mounted by docker-compose.yml where CONFIG_FILE names no other file: nothing beside the environment. */
export default defineConfig({});
