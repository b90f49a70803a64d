import { list, ref, resource, str, type WireContext } from '../api/resources/resource';
import { Avatars, celebrityPage, MAX, SimpleSubject, integer } from './movies.resources';
import { type WorkRow } from './movies.rows';
import { SimplePhoto } from './photos.resources';
import { roleWord } from './roles';

/** Celebrity (specification section 2.8); never shown to the premium tier. */
export const Celebrity = resource('Celebrity', {
  id: { type: str() },
  name: { type: str() },
  name_en: { type: str() },
  alt: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => celebrityPage(row.id, context),
  },
  mobile_url: {
    type: str(),
    from: (row: { id: string }, context: WireContext) => `${celebrityPage(row.id, context)}mobile`,
  },
  avatars: { type: ref(Avatars), from: integer },
  summary: { type: str(), tiers: 'A' },
  aka: { type: list(str()) },
  aka_en: { type: list(str()) },
  website: { type: str(), tiers: 'A' },
  gender: { type: str() },
  birthday: { type: str(), tiers: 'A' },
  born_place: { type: str() },
  professions: { type: list(str()), tiers: 'A' },
  constellation: { type: str(), tiers: 'A' },
  photos: { type: list(ref(SimplePhoto)), tiers: 'A', max: MAX.photos },
  works: { type: list(ref(SimpleSubject)), max: MAX.works },
});

/** A work with the celebrity's roles in it (D35). */
export const Work = resource('Work', {
  roles: { type: list(str()), from: (row: WorkRow) => row.roles.map(roleWord) },
  subject: { type: ref(SimpleSubject) },
});
