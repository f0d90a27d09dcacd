import { lawsInHistories } from './machine-laws.ts';

lawsInHistories(1_000);
