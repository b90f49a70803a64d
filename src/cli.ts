import 'reflect-metadata';
import { runCommand } from './cli/run';

void runCommand();
