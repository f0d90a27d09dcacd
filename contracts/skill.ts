import { z } from 'zod';

/** Skills by their names, each with the SHA-256 of all its files, in hex (SPEC 8). */
export const SkillHashes = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));
export type SkillHashes = z.infer<typeof SkillHashes>;
