import { z } from 'zod';

/** The name of a role. Keys and tokens have roles, which say what their holder may approve. */
export const RoleName = z
  .string()
  .regex(/^(?!(?:operator|user|front_end)$)[A-Za-z0-9_.:-]{1,64}$/, 'must match ^[A-Za-z0-9_.:-]{1,64}$');

/** Most roles of a key or token. */
export const ROLES_MAX = 50;

/** Who may decide about a tool's actions: all callers with a role, or one owner (SPEC 3, approvers). */
export const Approver = z
  .string()
  .regex(
    /^(?:role:(?!(?:operator|user|front_end)$)[A-Za-z0-9_.:-]{1,64}|owner:[A-Za-z0-9_-]{1,64}(?:~[A-Za-z0-9_-]{1,64})?)$/,
    'must be role:<name>, such as role:finance, or owner:<name>',
  );

/** Who may decide about an action. Without `approvers` its task's owner does. */
export interface Approvers {
  /** Anybody of these, and nobody else. */
  readonly approvers?: readonly string[] | undefined;
  /** False: never the owner of the task. */
  readonly self?: false | undefined;
}

/** Approvers of a tool that names some. */
export interface NamedApprovers extends Approvers {
  readonly approvers: readonly string[];
}

/** A caller as one who decides; `anybody` where callers cannot be told apart, because the service has no keys. */
export type Decider = 'anybody' | { readonly owner: string; readonly roles: readonly string[] };

/** The names that a caller is found by among approvers. */
export const approverNames = ({ owner, roles }: Exclude<Decider, 'anybody'>): string[] => [
  `owner:${owner}`,
  ...roles.map((role) => `role:${role}`),
];

/** True for a caller who may decide about an action of a task of `owner`. */
export const mayDecide = ({ approvers, self }: Approvers, owner: string, decider: Decider): boolean => {
  if (decider === 'anybody') return true;
  if (approvers === undefined) return decider.owner === owner;
  if (self === false && decider.owner === owner) return false;
  return approverNames(decider).some((name) => approvers.includes(name));
};
