import './process/compile-cache';
import 'reflect-metadata';
import { handleOutputErrors, runCommandAndExitOnError } from './cli/support/run';

handleOutputErrors();
void runCommandAndExitOnError();
