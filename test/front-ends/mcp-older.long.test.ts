import { tellStory } from '../support/front-ends/story.ts';
import { mcpHost } from './mcp-front-end.ts';

tellStory('MCP, a host of the earlier era', mcpHost('older'));
