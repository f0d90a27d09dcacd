import { defineConfig, defineTool } from 'tripact';
import { z } from 'zod';

const HOURS: Readonly<Record<string, string>> = {
  weekday: '9:00 to 18:00',
  saturday: '10:00 to 14:00',
  sunday: 'closed',
};

/** Only reads, so it may run beside others and again after a crash. */
const openingHours = defineTool({
  name: 'opening_hours',
  description: 'Tells when the shop is open.',
  input: z.object({ day: z.enum(['weekday', 'saturday', 'sunday']) }),
  writes: false,
  run: ({ day }) => HOURS[day],
});

export default defineConfig({
  instructions: 'You chat with visitors of a small tea shop. Answer in one or two sentences, in their language.',
  tools: [openingHours],
  // It remembers facts about each visitor, keeps their todos, and reminds them.
  builtinTools: ['remember', 'todo', 'schedule'],
});
