import type { AccessControl } from '../access/port.ts';
import type { Config } from './config/config.ts';
import { invalidConfig } from './config/read-settings.ts';

/** Stops a start that would let strangers in: beyond loopback, without any key. Throws `CONFIG_INVALID`. */
export const assertClosed = ({ host, mustAuthenticate }: Config, access: AccessControl): void => {
  if (!mustAuthenticate || access.isRequired()) return;
  throw invalidConfig([
    `TRIPACT_HOST="${host}" would let anyone on the network in: make a key with "tripact keys add <owner>", set TRIPACT_API_KEYS, or TRIPACT_ALLOW_UNAUTHENTICATED=true where something else keeps strangers out.`,
  ]);
};
