import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { field } from '../../accounts/browser-sessions.service';
import { AdminWordsService } from '../../admin/words.service';
import { type ApiRequest } from '../../api/http/request-context';
import { readPage } from '../../api/resources/page';
import { Matcher, type Action } from '../../moderation/matcher';
import { WordsRepository } from '../../moderation/words.repository';
import { sendPage } from '../../web/page-response';
import { ConsoleRoute } from '../access/console-route';
import { ConsoleSessions } from '../access/console-sessions.service';
import { chosen, requireId, textIn } from '../input';
import { CONSOLE } from '../paths';
import { withQuery } from '../../web/with-query';
import { ContentRepository } from '../review/content.repository';
import { highlightedTexts } from '../review/highlight';
import { SHOWN_CHARACTERS, type WordHits } from './hits.parts';
import { RecentTextSearch } from './recent-text-search.service';
import { RemovedWordsRepository } from './removed-words.repository';
import { WORD_COUNT, wordPreviewPage, wordsPage, type Trial } from './words.pages';

const ACTIONS: readonly Action[] = ['refuse', 'hold'];
const DONE = withQuery(CONSOLE.words, { did: 'word' });

/** Words of a preview; each is searched in all recent texts. */
const MAX_PREVIEWED = 20;

/** The list of banned words, with a trial of words and texts. */
@Controller('admin/words')
export class WordPageController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly words: AdminWordsService,
    private readonly stored: WordsRepository,
    private readonly removed: RemovedWordsRepository,
    private readonly search: RecentTextSearch,
    private readonly content: ContentRepository,
  ) {}

  @Get()
  @ConsoleRoute()
  async list(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const session = await this.sessions.open(request, response);
    if (!session) return;
    const { query, presence } = request.context;
    const action = chosen(query.action, ACTIONS, undefined);
    const page = await this.words.list(action, readPage(query, { count: WORD_COUNT }));
    const trial = await this.tryOut(textIn(query.text), textIn(query.word), presence.signal());
    const removed = await this.removed.findLastRemoved(session.user.uid);
    sendPage(response, wordsPage(session, { action, page, trial, removed }));
  }

  @Post('add')
  @ConsoleRoute()
  async add(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      const action = chosen(field(request, 'action'), ACTIONS, 'hold');
      await this.words.addLines(field(request, 'words'), action, actor);
      return DONE;
    });
  }

  /** Shows in which recent texts words occur, before they are added. It changes nothing. */
  @Post('preview')
  @ConsoleRoute()
  async preview(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const signal = request.context.presence.signal();
    await this.sessions.handle(request, response, {}, async (session) => {
      const action = chosen(field(request, 'action'), ACTIONS, 'hold');
      const lines = field(request, 'words');
      const words = new Set(lines.split('\n').map((line) => line.trim()));
      words.delete('');
      const previewed = [...words].slice(0, MAX_PREVIEWED);
      return wordPreviewPage(session, { lines, action }, await this.hitsOf(previewed, signal));
    });
  }

  @Post('remove')
  @ConsoleRoute()
  async remove(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.sessions.handle(request, response, {}, async ({ actor }) => {
      await this.words.deleteWord(requireId(field(request, 'id')), actor);
      return DONE;
    });
  }

  private async tryOut(text: string, word: string, signal: AbortSignal): Promise<Trial> {
    const found = text === '' ? [] : new Matcher(await this.stored.all()).find(text);
    const isRefused = found.some(({ action }) => action === 'refuse');
    return {
      text,
      word,
      verdict: isRefused ? 'refuse' : found.length > 0 ? 'hold' : 'accepted',
      found: found.map((one) => one.word),
      hits: word === '' ? undefined : (await this.hitsOf([word], signal))[0],
    };
  }

  /** The recent texts with each word. */
  private async hitsOf(words: readonly string[], signal: AbortSignal): Promise<WordHits[]> {
    const { matches, isComplete } = await this.search.search(words, signal);
    const find = await this.content.findContent(matches.flatMap(({ shown }) => shown));
    const texts = matches.flatMap(({ word, shown }) =>
      shown.map(({ text }) => ({ text: text.slice(0, SHOWN_CHARACTERS), words: [word] })),
    );
    const marked = (await highlightedTexts(texts)).values();
    return matches.map(({ shown, ...match }) => ({
      ...{ ...match, isComplete },
      shown: shown.map((hit) => ({ ...hit, content: find(hit), marked: marked.next().value })),
    }));
  }
}
