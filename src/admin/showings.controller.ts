import { Controller, Delete, Get, Post } from '@nestjs/common';
import { BodyInput, QueryInput, Text, IntegerParam } from '../api/input/input';
import { Day } from '../api/input/time-params';
import { type Page, type PageQuery } from '../api/resources/page';
import { resource, str } from '../api/resources/resource';
import {
  Errors,
  ExistingIdParam,
  Paging,
  Responds,
  RespondsEmpty,
  RespondsList,
} from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { type ShowingRow } from '../movies/showings.repository';
import { CurrentAdministrator, Admin } from './admin-route';
import { ShowingsService } from './showings.service';

const AdminShowing = resource('AdminShowing', {
  id: { type: str(), about: 'Id of the showing.' },
  subject_id: { type: str(), about: 'Id of the film.' },
  title: { type: str(), about: 'Title of the film.' },
  city_id: { type: str(), about: 'Id of the city.' },
  city: { type: str(), about: 'Name of the city.' },
  from: { type: str(), about: 'First day, yyyy-MM-dd.' },
  until: { type: str(), about: 'Last day; empty when not known.' },
});

class ShowingsQuery {
  @Text({ about: 'Id, uid or name of a city.' })
  city?: string;

  @IntegerParam({ min: 1, max: Number.MAX_SAFE_INTEGER, about: 'Id of a film.' })
  subject_id?: number;
}

class ShowingInput {
  @IntegerParam({ min: 1, max: Number.MAX_SAFE_INTEGER, required: true, about: 'Id of the film.' })
  subject_id: number;

  @Text({ required: true, moderated: false, about: 'Id, uid or name of the city.' })
  city: string;

  @Day({ required: true, about: 'First day.' })
  from: string;

  @Day({ about: 'Last day; open when absent.' })
  until?: string;
}

/** Administration of showings. */
@Controller('admin/v1/showings')
export class ShowingsController {
  constructor(private readonly showings: ShowingsService) {}

  @Get()
  @Errors('targetNotFound')
  @Admin('List showings, newest first')
  @RespondsList('showings', AdminShowing)
  list(
    @QueryInput(ShowingsQuery) { city, subject_id }: ShowingsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<ShowingRow>> {
    return this.showings.list(city, subject_id, page);
  }

  @Post()
  @Errors('targetNotFound')
  @Admin('Create a showing, or change the end of the one that begins on the same day')
  @Responds(AdminShowing, { status: 201 })
  write(
    @BodyInput(ShowingInput) input: ShowingInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<ShowingRow> {
    return this.showings.write(input, actor);
  }

  @Delete(':id')
  @Admin('Delete a showing')
  @RespondsEmpty()
  deleteShowing(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<void> {
    return this.showings.deleteShowing(id, actor);
  }
}
