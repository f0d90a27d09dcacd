import { agUiPage } from '../support/front-ends/ag-ui-page.ts';
import { aiSdkFrontEnd } from '../support/front-ends/ai-sdk-page.ts';
import { tellStory } from '../support/front-ends/story.ts';
import { mcpHost } from './mcp-front-end.ts';

tellStory('AG-UI 0.0', 'ag_ui', agUiPage('0.0'));
tellStory('AI SDK', 'ai_sdk', aiSdkFrontEnd);
tellStory('MCP, a host that asks its user', 'mcp', mcpHost('newer', true));
tellStory('MCP, a host of the earlier era', 'mcp', mcpHost('older', false));
tellStory('MCP, a host of the earlier era that asks its user', 'mcp', mcpHost('older', true));
