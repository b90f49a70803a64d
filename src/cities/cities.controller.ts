import { Controller, Get } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/page';
import { IdParam, Paging, Responds, RespondsList, Scopes, Summary } from '../api/route';
import { City, type CityRow } from './cities.resources';
import { CitiesService } from './cities.service';

/** Cities (specification section 4.4). Paths with fixed words stand before those with wildcards. */
@Controller('v2/loc')
export class CitiesController {
  constructor(private readonly cities: CitiesService) {}

  @Get('list')
  @Scopes('event_basic_r')
  @RespondsList('locs', City)
  @Summary('Cities')
  list(@Paging() page: PageQuery): Promise<Page<CityRow>> {
    return this.cities.list(page);
  }

  @Get(':id')
  @Scopes('event_basic_r')
  @Responds(City)
  @Summary('A city by its id')
  byId(@IdParam('id') id: number): Promise<CityRow> {
    return this.cities.byId(id);
  }
}
