import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { BodyInput, EnumParam, QueryInput, StringListParam } from '../api/input/input';
import { type Page, type PageQuery } from '../api/resources/page';
import { resource, str, time, oneOf } from '../api/resources/resource';
import {
  ExistingIdParam,
  Paging,
  RespondsEmpty,
  RespondsJson,
  RespondsList,
} from '../api/routing/route';
import { type Actor } from '../audit/audit.service';
import { type Action } from '../moderation/matcher';
import { type WordRow } from '../moderation/words.repository';
import { type WordsAdded } from '../moderation/words.service';
import { CurrentAdministrator, Admin } from './admin-route';
import { AdminWordsService } from './words.service';

const ACTIONS = ['refuse', 'hold'] as const;

const BannedWord = resource('BannedWord', {
  id: { type: str(), about: 'Id of the word.' },
  word: { type: str(), about: 'The word.' },
  action: { type: oneOf(...ACTIONS), about: 'Action for texts with the word.' },
  created: { type: time(), about: 'Time of creation.' },
  created_by: { type: str(), about: 'Uid of the administrator, or `cli:` and a name.' },
});

const ADDED = {
  type: 'object',
  properties: {
    added: { type: 'integer', description: 'Number of added words.' },
    changed: { type: 'integer', description: 'Number of words with a new action.' },
    unchanged: { type: 'integer', description: 'Number of words that had this action.' },
  },
  required: ['added', 'changed', 'unchanged'],
};

class WordsQuery {
  @EnumParam(ACTIONS, { about: 'Words with this action.' })
  action?: Action;
}

class ActionInput {
  @EnumParam(ACTIONS, {
    required: true,
    about: 'Action for texts with the word: refuse them, or hold them for moderation.',
  })
  action: Action;
}

class WordsInput extends ActionInput {
  @StringListParam({ required: true, most: 1000, about: 'Words to add, at most 1,000.' })
  words: string[];
}

/** Administration of banned words. */
@Controller('admin/v1/words')
export class AdminWordsController {
  constructor(private readonly words: AdminWordsService) {}

  @Get()
  @Admin('List banned words')
  @RespondsList('words', BannedWord)
  list(
    @QueryInput(WordsQuery) { action }: WordsQuery,
    @Paging() page: PageQuery,
  ): Promise<Page<WordRow>> {
    return this.words.list(action, page);
  }

  @Post()
  @Admin('Add banned words or change their action')
  @RespondsJson(ADDED, { status: 201 })
  addWords(
    @BodyInput(WordsInput) { words, action }: WordsInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<WordsAdded> {
    return this.words.addWords(words, action, actor);
  }

  @Put(':id')
  @Admin('Change the action of a banned word')
  @RespondsJson(ADDED, { status: 202 })
  update(
    @ExistingIdParam('id') id: number,
    @BodyInput(ActionInput) { action }: ActionInput,
    @CurrentAdministrator() actor: Actor,
  ): Promise<WordsAdded> {
    return this.words.update(id, action, actor);
  }

  @Delete(':id')
  @Admin('Delete a banned word')
  @RespondsEmpty()
  deleteWord(
    @ExistingIdParam('id') id: number,
    @CurrentAdministrator() actor: Actor,
  ): Promise<void> {
    return this.words.deleteWord(id, actor);
  }
}
