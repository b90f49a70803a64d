import { together } from './suites';

together('units');
