import { messageLawsInHistories } from './message-laws.ts';

messageLawsInHistories(1_000);
