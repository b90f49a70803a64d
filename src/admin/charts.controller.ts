import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { BodyInput, EnumParam, QueryInput, Text } from '../api/input/input';
import { Day } from '../api/input/time-params';
import { type Page, type PageQuery } from '../api/resources/page';
import { bool, int, resource, str, time } from '../api/resources/resource';
import {
  Errors,
  ExistingIdParam,
  NameParam,
  Paging,
  RespondsEmpty,
  RespondsJson,
  RespondsList,
} from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { type WireRecord } from '../import-export/engine/record-edit-hooks';
import { type SnapshotRow } from '../movies/chart-snapshots.repository';
import { CHART_NAMES } from '../movies/chart-names';
import { CurrentAdministrator, Admin } from './admin-route';
import { AdminChartsService } from './charts.service';
import { RecordBody } from './records/records.controller';
import { WHOLE_RECORD } from './records/records.resources';

const AdminChart = resource('AdminChart', {
  id: { type: str(), about: 'Id of the snapshot.' },
  name: { type: str(), about: 'Name of the chart.' },
  date: { type: str(), about: 'Day of the snapshot, yyyy-MM-dd.' },
  city_id: { type: str(), about: 'Id of the city; empty for none.' },
  city: { type: str(), about: 'Name of the city; empty for none.' },
  period: { type: str(), about: 'Period of the numbers, as free text; may be empty.' },
  computed: { type: bool(), about: 'Whether it was computed, not written.' },
  created: { type: time(), about: 'Time of the last change.' },
  entries: { type: int(), about: 'Number of entries.' },
});

const COMPUTED = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the chart.' },
    date: { type: 'string', description: 'Day of the snapshots, yyyy-MM-dd.' },
    snapshots: { type: 'integer', description: 'Number of written snapshots.' },
    entries: { type: 'integer', description: 'Number of entries of all snapshots.' },
  },
};

const ENTRIES = {
  entries: {
    about: 'List of {rank, subject_id, box, new, delta}, best first; box is in US dollars.',
  },
};

class ChartsQuery {
  @EnumParam(CHART_NAMES, { about: 'Snapshots of this chart.' })
  name?: string;
}

class SnapshotInput {
  @Day({ required: true, about: 'Day of the snapshot.' })
  date: string;

  @Text({ moderated: false, about: 'Id, uid or name of the city, for movies in theaters.' })
  city?: string;

  @Text({ moderated: false, max: 100, about: 'Date range of its numbers.' })
  period?: string;
}

class ComputeInput {
  @Day({ required: true, about: 'Day of the snapshot.' })
  date: string;

  @Text({
    moderated: false,
    about: 'For movies in theaters; every city with showings when absent.',
  })
  city?: string;
}

/** Administration of chart snapshots. */
@Controller('admin/v1/charts')
export class AdminChartsController {
  constructor(private readonly charts: AdminChartsService) {}

  @Get()
  @Admin('List chart snapshots, newest first')
  @RespondsList('charts', AdminChart)
  list(
    @QueryInput(ChartsQuery) { name }: ChartsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<SnapshotRow>> {
    return this.charts.list(name, page);
  }

  @Get(':id')
  @Admin('Get a snapshot with its entries')
  @RespondsJson(WHOLE_RECORD)
  getSnapshot(@ExistingIdParam('id') id: number): Promise<WireRecord> {
    return this.charts.getSnapshot(id);
  }

  @Put(':name')
  @Errors('targetNotFound', 'missingArgs')
  @Admin('Write the snapshot of a day: entries are {rank, subject_id, box, new, delta}')
  @RespondsJson(WHOLE_RECORD, { status: 202 })
  write(
    @NameParam('name') name: string,
    @BodyInput(SnapshotInput) input: SnapshotInput,
    @RecordBody(ENTRIES, ['entries']) { entries }: WireRecord,
    @CurrentAdministrator() actor: Actor,
  ): Promise<WireRecord> {
    return this.charts.write({ ...input, name, entries }, actor);
  }

  @Post(':name/compute')
  @Errors('targetNotFound')
  @Admin('Compute the snapshot of a day from stored data')
  @RespondsJson(COMPUTED)
  compute(
    @NameParam('name') name: string,
    @BodyInput(ComputeInput) input: ComputeInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<object> {
    return this.charts.compute({ ...input, name }, actor);
  }

  @Delete(':id')
  @Admin('Delete a snapshot; the API shows the previous one then')
  @RespondsEmpty()
  deleteSnapshot(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<void> {
    return this.charts.deleteSnapshot(id, actor);
  }
}
