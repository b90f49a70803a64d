import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { BodyInput, QueryInput, Text, IntegerParam } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { int, resource, str } from '../api/resources/resource';
import {
  ExistingIdParam,
  Paging,
  Responds,
  RespondsEmpty,
  RespondsList,
} from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { type SeriesRow } from '../books/series.repository';
import { CurrentAdministrator, Admin } from './admin-route';
import { SERIES_TITLE, SeriesService } from './series.service';

const AdminSeries = resource('AdminSeries', {
  id: { type: str(), about: 'Id of the series.' },
  title: { type: str(), about: 'Title of the series.' },
  books: { type: int(), about: 'Number of books.' },
});

class SeriesQuery {
  @Text({ about: 'Part of the title.' })
  q?: string;
}

class SeriesInput {
  @Text({ required: true, max: SERIES_TITLE, moderated: false, about: 'Title of the series.' })
  title: string;
}

class NewSeriesInput extends SeriesInput {
  @IntegerParam({ min: 1, max: Number.MAX_SAFE_INTEGER, about: 'The next id when absent.' })
  id?: number;
}

/** Administration of book series. */
@Controller('admin/v1/series')
export class AdminSeriesController {
  constructor(private readonly series: SeriesService) {}

  @Get()
  @Admin('List book series')
  @RespondsList('series', AdminSeries)
  list(
    @QueryInput(SeriesQuery) { q }: SeriesQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<SeriesRow>> {
    return this.series.list(q, page);
  }

  @Get(':id')
  @Admin('A series')
  @Responds(AdminSeries)
  getSeries(@ExistingIdParam('id') id: number): Promise<SeriesRow> {
    return this.series.getSeries(id);
  }

  @Post()
  @Admin('Create a series')
  @Responds(AdminSeries, { status: 201 })
  create(
    @BodyInput(NewSeriesInput) { title, id }: NewSeriesInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<SeriesRow> {
    return this.series.create(title, id, actor);
  }

  @Put(':id')
  @Admin('Change the title of a series')
  @Responds(AdminSeries, { status: 202 })
  update(
    @ExistingIdParam('id') id: number,
    @BodyInput(SeriesInput) { title }: SeriesInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<SeriesRow> {
    return this.series.update(id, title, actor);
  }

  @Delete(':id')
  @Admin('Delete a series; its books stay')
  @RespondsEmpty()
  deleteSeries(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<void> {
    return this.series.deleteSeries(id, actor);
  }
}
