import { defineConfig } from 'tripact';

/** What docker-compose.yml mounts where CONFIG_FILE names no other file: nothing beside the environment. */
export default defineConfig({});
