import { Module } from '@nestjs/common';
import { ExportService } from './export.service';
import { ImportService } from './import.service';
import { Kinds } from './kinds';

/** Import and export of what the service holds. */
@Module({
  providers: [Kinds, ImportService, ExportService],
  exports: [Kinds, ImportService, ExportService],
})
export class TransferModule {}
