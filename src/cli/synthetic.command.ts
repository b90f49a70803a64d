import { Readable } from 'node:stream';
import { ImportService } from '../import-export/engine/import.service';
import { EMPTY_SUMMARY, type ImportSummary } from '../import-export/engine/import-options';
import {
  syntheticBooks,
  syntheticCollections,
  syntheticUsers,
  type SyntheticVolume,
} from '../import-export/synthetic/synthetic';
import {
  syntheticEvents,
  syntheticParticipations,
  type SyntheticEvents,
} from '../import-export/synthetic/synthetic-events';
import {
  syntheticCelebrities,
  syntheticCredits,
  syntheticMovieComments,
  syntheticMovieReviews,
  syntheticPhotos,
  syntheticSubjects,
  type SyntheticMovies,
} from '../import-export/synthetic/synthetic-movies';
import {
  syntheticNoteLikes,
  syntheticNoteReplies,
  syntheticNotes,
  type SyntheticNotes,
} from '../import-export/synthetic/synthetic-notes';
import { Command, CommandRunner, Option } from './support/command';
import { importInput, sum } from './support/importing';
import { auditedImport } from './support/audited';
import { integerOption } from './support/options';
import { withServices } from './support/bootstrap';
import { print } from './support/output';

type Volume = SyntheticVolume & SyntheticMovies & SyntheticNotes & SyntheticEvents;

const NONE: Volume = {
  books: 0,
  users: 0,
  collections: 0,
  subjects: 0,
  celebrities: 0,
  credits: 0,
  photos: 0,
  movieReviews: 0,
  movieComments: 0,
  notes: 0,
  noteReplies: 0,
  noteLikes: 0,
  events: 0,
  participations: 0,
  seed: 1,
};

function check(volume: Volume): void {
  if (volume.collections > volume.books * volume.users) {
    throw new Error('collections cannot exceed users times books');
  }
  const written = volume.photos + volume.movieReviews + volume.movieComments;
  if (written > 0 && (volume.subjects === 0 || volume.users === 0)) {
    throw new Error('photos, reviews and comments need subjects and users');
  }
  if (volume.noteReplies + volume.noteLikes > 0 && volume.notes === 0) {
    throw new Error('replies and likes need notes');
  }
  if (volume.participations > 0 && volume.events < 2) {
    throw new Error('participations need at least two events');
  }
  if (volume.credits > volume.subjects * volume.celebrities) {
    throw new Error('credits cannot exceed subjects times celebrities');
  }
}

@Command({
  name: 'synthetic',
  description: 'generate synthetic records, the same for the same seed',
})
export class SyntheticCommand extends CommandRunner {
  async run(_arguments: string[], options: Partial<Volume>): Promise<void> {
    const volume = { ...NONE, ...options };
    check(volume);
    await withServices(async (app) => {
      const imports = app.get(ImportService);
      const all = async (): Promise<ImportSummary> => {
        let total: ImportSummary = EMPTY_SUMMARY;
        const make = async (kind: string, lines: Generator<string>): Promise<void> => {
          const input = { name: 'synthetic', stream: toStream(lines), size: undefined };
          total = sum(total, await importInput(imports, kind, input, {}));
        };
        await make('user', syntheticUsers(volume));
        await make('book', syntheticBooks(volume));
        await make('collection', syntheticCollections(volume));
        await make('celebrity', syntheticCelebrities(volume));
        await make('movie', syntheticSubjects(volume));
        await make('credit', syntheticCredits(volume));
        await make('photo', syntheticPhotos(volume));
        await make('movie-review', syntheticMovieReviews(volume));
        await make('movie-comment', syntheticMovieComments(volume));
        await make('note', syntheticNotes(volume));
        await make('note-reply', syntheticNoteReplies(volume));
        await make('note-like', syntheticNoteLikes(volume));
        await make('event', syntheticEvents(volume));
        await make('participation', syntheticParticipations(volume));
        return total;
      };
      const total = await auditedImport(app, 'synthetic', options, all);
      print(total);
      if (total.failed > 0) process.exitCode = 1;
    });
  }

  @Option({ flags: '--books <n>', description: 'number of books' })
  parseBooks(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--users <n>', description: 'number of users' })
  parseUsers(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--collections <n>', description: 'number of collections of books' })
  parseCollections(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--subjects <n>', description: 'number of movies and series' })
  parseSubjects(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--celebrities <n>', description: 'number of celebrities' })
  parseCelebrities(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--credits <n>', description: 'number of credits' })
  parseCredits(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--photos <n>', description: 'number of photos of subjects' })
  parsePhotos(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--movie-reviews <n>', description: 'number of reviews of movies' })
  parseMovieReviews(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--movie-comments <n>', description: 'number of short comments on movies' })
  parseMovieComments(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--notes <n>', description: 'number of notes' })
  parseNotes(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--note-replies <n>', description: 'number of replies to notes' })
  parseNoteReplies(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--note-likes <n>', description: 'number of likes of notes' })
  parseNoteLikes(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--events <n>', description: 'number of events' })
  parseEvents(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--participations <n>', description: 'number of participations in events' })
  parseParticipations(value: string): number {
    return integerOption(value);
  }

  @Option({ flags: '--seed <s>', description: 'seed' })
  parseSeed(value: string): number {
    return integerOption(value);
  }
}

function toStream(lines: Generator<string>): Readable {
  const bytes = function* (): Generator<Buffer> {
    let buffer = '';
    for (const line of lines) {
      buffer += line;
      if (buffer.length < 65_536) continue;
      yield Buffer.from(buffer);
      buffer = '';
    }
    if (buffer !== '') yield Buffer.from(buffer);
  };
  return Readable.from(bytes());
}
