import { together } from './suites';

together('notes');
