import { together } from './suites';

together('movies');
