import { homesGivenBy } from './nodes.ts';

homesGivenBy('restate');
