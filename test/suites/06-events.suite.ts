import { together } from './suites';

together('events');
