import { tellStory } from '../support/front-ends/story.ts';
import { mcpHost } from './mcp-front-end.ts';

tellStory('MCP, a host that asks its user', mcpHost('newer'));
