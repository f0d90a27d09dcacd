import { z } from 'zod';

/** A language that people are answered in. */
export const Language = z.enum(['en', 'zh']);
export type Language = z.infer<typeof Language>;
