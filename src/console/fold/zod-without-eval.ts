import { z } from 'zod';

// The page's policy forbids code made of text, and a browser reports even the attempt. To be loaded before any contract is: a contract asks when it is made.
z.config({ jitless: true });
