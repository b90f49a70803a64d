import './process/compile-cache';
import 'reflect-metadata';
import { handleOutputErrors, runCommandAndExitOnError } from './cli/support/run';
import { shareDnsLookups } from './process/dns-lookups';

shareDnsLookups();
handleOutputErrors();
void runCommandAndExitOnError();
