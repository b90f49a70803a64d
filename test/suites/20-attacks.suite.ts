import { together } from './suites';

together('attacks');
