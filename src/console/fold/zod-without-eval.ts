import { z } from 'zod';

// The page's policy forbids code from text, and browsers report even the attempt. Load this before any contract, since
// a contract checks when it is made.
z.config({ jitless: true });
