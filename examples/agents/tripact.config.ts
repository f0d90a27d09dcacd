// Two agents in one service, a skill, and an agent elsewhere as a tool. Copy the folder, and start Tripact in it.
import { defineConfig, defineTool } from 'tripact';
import { z } from 'zod';

const order = defineTool({
  name: 'order',
  description: 'Looks an order up by its number.',
  input: z.object({ number: z.string().describe('Such as 1043') }),
  writes: false,
  run: ({ number }) => ({ number, item: 'a blue teapot', paid: '19.90 EUR', sent: true }),
});

const restart = defineTool({
  name: 'restart',
  description: 'Restarts a service of the shop.',
  input: z.object({ service: z.enum(['checkout', 'search']) }),
  run: ({ service }) => `restarted ${service}`,
});

export default defineConfig({
  tools: [order],
  // Each folder in it with a SKILL.md is a skill: agents read it when they need it.
  skills: './skills',
  // An agent that speaks A2A is a tool with this name.
  // a2aAgents: { courier: { url: 'https://courier.example/a2a' } },

  // A session works with the agent that its first turn names: npx tripact run --agent ops "Restart the search"
  agents: {
    desk: {
      description: 'Answers customers',
      instructions: 'You are the desk of a small tea shop. Be brief and kind.',
      tools: ['order', 'todo'],
    },
    ops: {
      description: 'Keeps the shop running',
      instructions: 'You keep the services of a small tea shop running.',
      tools: [restart],
      approvals: [{ tools: 'restart', approval: true }],
      skills: [],
    },
  },
});
