import { Module } from '@nestjs/common';
import { CitiesModule } from '../cities/cities.module';
import { ChartsComputeRepository } from './charts-compute.repository';
import { ChartsComputeService } from './charts-compute.service';

/** Computation of charts, separate from reading them, because only administrators need it. */
@Module({
  imports: [CitiesModule],
  providers: [ChartsComputeRepository, ChartsComputeService],
  exports: [ChartsComputeService],
})
export class ChartsComputeModule {}
