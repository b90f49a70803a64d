import { Controller, Get, Post } from '@nestjs/common';
import { slicePage, type PageQuery } from '../../../src/api/resources/page';
import {
  Fields,
  Paging,
  Responds,
  RespondsList,
  RequireScope,
} from '../../../src/api/routing/route';
import { ref } from '../../../src/api/resources/resource';
import { Item } from './probe.resources';

export const ITEMS = Array.from({ length: 250 }, (_, at) => ({ number: at, name: `item ${at}` }));

@Controller('v2/probe')
export class ListsController {
  @Get('items')
  @RequireScope('book_basic_r')
  @RespondsList('items', Item)
  items(@Paging() page: PageQuery) {
    return slicePage(ITEMS, page);
  }

  @Get('tens')
  @RequireScope('movie_basic_r')
  @RespondsList('items', Item)
  tens(@Paging({ count: 10 }) page: PageQuery) {
    return slicePage(ITEMS, page);
  }

  @Get('filtered')
  @RequireScope('book_basic_r')
  @Fields()
  @RespondsList('items', Item, { extra: { first: ref(Item) } })
  filtered(@Paging() page: PageQuery) {
    return { ...slicePage(ITEMS, page), extra: { first: ITEMS[0] } };
  }

  @Get('lines')
  @RequireScope('book_basic_r')
  @Responds(Item)
  lines() {
    return { number: 1, name: 'a\u2028b\u2029c</script>' };
  }

  @Post('lines')
  @RequireScope('book_basic_w')
  @Responds(Item, { status: 201 })
  write() {
    return { number: 1, name: 'written' };
  }
}
