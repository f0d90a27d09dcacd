import { homesGivenBy } from './nodes.ts';

homesGivenBy('leases');
