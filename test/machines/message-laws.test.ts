import { messageLawsInHistories } from './message-laws.ts';

// Few, for `npm run test:long` plays many.
messageLawsInHistories(40);
