import { Controller, Get } from '@nestjs/common';
import { type Page, type PageQuery } from '../api/resources/page';
import {
  IdParam,
  Paging,
  Responds,
  RespondsList,
  RequireScope,
  OperationId,
  Summary,
} from '../api/routing/route';
import { City, type CityRow } from './cities.resources';
import { CitiesService } from './cities.service';

/** Cities (specification section 4.4). Fixed paths must come before paths with parameters. */
@Controller('v2/loc')
export class CitiesController {
  constructor(private readonly cities: CitiesService) {}

  @Get('list')
  @RequireScope('event_basic_r')
  @RespondsList('locs', City)
  @OperationId('listCities')
  @Summary('Cities')
  list(@Paging() page: PageQuery): Promise<Page<CityRow>> {
    return this.cities.list(page);
  }

  @Get(':id')
  @RequireScope('event_basic_r')
  @Responds(City)
  @OperationId('getCity')
  @Summary('A city by its id')
  getCity(@IdParam('id') id: number): Promise<CityRow> {
    return this.cities.getCity(id);
  }
}
