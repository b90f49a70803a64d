import { together } from './suites';

together('transfer-and-storage');
