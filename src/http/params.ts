import { z } from 'zod';
import { SessionId } from '../../contracts/ids.ts';

/** The parameters of an address within a session. */
export const InSession = z.object({ session_id: SessionId.meta({ description: 'The name of the session.' }) });

/** The parameters of an address of one task. Any text: a malformed id is one that does not exist. */
export const OfTask = z.object({ task_id: z.string().meta({ description: 'The id of the task.' }) });
