import { Module } from '@nestjs/common';
import { CitiesModule } from '../cities/cities.module';
import { ChartsComputeRepository } from './charts-compute.repository';
import { ChartsComputeService } from './charts-compute.service';

/** Computing charts, apart from serving them: only the command line needs it. */
@Module({
  imports: [CitiesModule],
  providers: [ChartsComputeRepository, ChartsComputeService],
  exports: [ChartsComputeService],
})
export class ChartsComputeModule {}
