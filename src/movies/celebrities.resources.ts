import { list, ref, resource, str, type WireContext } from '../api/resources/resource';
import { Avatars, celebrityPage, MAX, SimpleSubject, wholeRow } from './movies.resources';
import { type WorkRow } from './movies.rows';
import { SimplePhoto } from './photos.resources';
import { roleWord } from './roles';

/** Celebrity (specification section 2.8); never shown to the premium tier. */
export const Celebrity = resource('Celebrity', {
  id: { type: str(), about: 'Id of the celebrity.' },
  name: { type: str(), about: 'Chinese name.' },
  name_en: { type: str(), about: 'English name; may be empty.' },
  alt: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => celebrityPage(row.id, context),
    about: 'URL of the page of the celebrity.',
  },
  mobile_url: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => `${celebrityPage(row.id, context)}mobile`,
    about: 'URL of the page for mobile screens.',
  },
  avatars: { type: ref(Avatars), from: wholeRow, about: 'Portrait in three sizes.' },
  summary: { type: str(), tiers: 'A', about: 'Biography, as plain text.' },
  aka: { type: list(str()), about: 'Other Chinese names.' },
  aka_en: { type: list(str()), about: 'Other English names.' },
  website: { type: str(), tiers: 'A', about: 'URL of the website of the celebrity; may be empty.' },
  gender: { type: str(), about: 'Gender, such as `男` or `女`; may be empty.' },
  birthday: { type: str(), tiers: 'A', about: 'Day of birth, `yyyy-MM-dd`; may be empty.' },
  born_place: { type: str(), about: 'Place of birth; may be empty.' },
  professions: { type: list(str()), tiers: 'A', about: 'Professions, such as `演员`.' },
  constellation: { type: str(), tiers: 'A', about: 'Sign of the zodiac; may be empty.' },
  photos: {
    type: list(ref(SimplePhoto)),
    tiers: 'A',
    max: MAX.photos,
    about: 'Photos of the celebrity.',
  },
  works: { type: list(ref(SimpleSubject)), max: MAX.works, about: 'Best known films and series.' },
});

/** A work with the celebrity's roles in it (D35). */
export const Work = resource('Work', {
  roles: {
    type: list(str()),
    from: (row: WorkRow) => row.roles.map(roleWord),
    about: 'Roles of the celebrity in the work, such as `导演` or `演员`.',
  },
  subject: { type: ref(SimpleSubject), about: 'The film or series.' },
});
