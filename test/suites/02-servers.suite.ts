import { together } from './suites';

together('servers');
