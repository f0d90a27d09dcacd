import { aiSdkFrontEnd } from '../support/front-ends/ai-sdk-page.ts';
import { tellStory } from '../support/front-ends/story.ts';

tellStory('AI SDK', aiSdkFrontEnd);
