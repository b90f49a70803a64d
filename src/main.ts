import './process/compile-cache';
import 'reflect-metadata';
import { startServer } from './server/start';

void startServer();
