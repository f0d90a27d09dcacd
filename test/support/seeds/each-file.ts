import fc from 'fast-check';
import { SEED } from './seeds.ts';

fc.configureGlobal({ seed: SEED });
