import { lawsInHistories } from './machine-laws.ts';

// Few and always the same, for `npm run test:long` plays many.
lawsInHistories(40, 1);
