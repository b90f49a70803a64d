import 'reflect-metadata';
import { serve } from './server/serve';

void serve();
