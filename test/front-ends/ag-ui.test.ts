import { agUiPage } from '../support/front-ends/ag-ui-page.ts';
import { tellStory } from '../support/front-ends/story.ts';

tellStory('AG-UI 1.0', agUiPage('1.0'));
tellStory('AG-UI 0.0', agUiPage('0.0'));
