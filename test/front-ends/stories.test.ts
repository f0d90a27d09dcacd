import { agUiPage } from '../support/front-ends/ag-ui-page.ts';
import { tellStory } from '../support/front-ends/story.ts';

// `npm run test:long` tells it on every other front end.
tellStory('AG-UI 1.0', 'ag_ui', agUiPage('1.0'));
