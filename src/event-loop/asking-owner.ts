import { AsyncLocalStorage } from 'node:async_hooks';

/** The owner for whom a model or a tool is asked: for what the libraries in between call without saying for whom. */
export const askingOwner = new AsyncLocalStorage<string>();
