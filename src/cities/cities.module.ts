import { Module } from '@nestjs/common';
import { CitiesRepository } from './cities.repository';
import { CitiesService } from './cities.service';

@Module({ providers: [CitiesRepository, CitiesService], exports: [CitiesService] })
export class CitiesModule {}
