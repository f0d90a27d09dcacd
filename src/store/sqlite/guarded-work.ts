/** Runs a write in a transaction of its own, and resolves once it is durable. */
export type Transaction = <Result>(write: () => Result) => Promise<Result>;

/** Runs a read, and turns what it throws into errors of its own. */
export type GuardedRead = <Result>(read: () => Promise<Result>) => Promise<Result>;
