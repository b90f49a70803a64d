import { together } from './suites';

together('moderation');
