import { lawsInHistories } from './machine-laws.ts';

// Few, for `npm run test:long` plays many.
lawsInHistories(60);
