import './process/compile-cache';
import 'reflect-metadata';
import { handleOutputErrors, runCommandAndExit } from './cli/support/run';

handleOutputErrors();
void runCommandAndExit();
