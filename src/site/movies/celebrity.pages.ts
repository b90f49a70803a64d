import { type Wire } from '../../api/resources/resource';
import { type Celebrity } from '../../movies/celebrities.resources';
import { badge, crumbs, facts, panel, sectionHead } from '../../web/components';
import { html, type Html } from '../../web/html';
import { PATHS } from '../../web/layout';
import { cover, grid, inOwnLanguage } from '../../web/record-components';
import { paragraphs, translated, workLayout } from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';
import { photoGrid, texts, website } from './movie.pages';

export type FullCelebrityJson = Wire<typeof Celebrity>;

/** The page of a celebrity. */
export function celebrityBody(
  reader: SiteReader,
  person: FullCelebrityJson,
  works: readonly { readonly card: Html }[],
): Html {
  const { movie: words, page } = reader.words;
  const path = to.celebrity(person.id);
  const photos = person.photos ?? [];
  return html`${crumbs(page.path, [{ href: PATHS.movies, label: words.films }])}
  ${workLayout({
    picture: cover({
      ...{ src: person.avatars.large, alt: person.name, shape: 'portrait', eager: true },
    }),
    title: person.name,
    head: html`${person.name_en !== '' && html`<p class="lead">${person.name_en}</p>`}
      <p>
        ${(person.professions ?? []).map((profession) => html`${badge(translated(words.roles, profession))} `)}
      </p>`,
    below: (person.summary ?? '').trim() !== '' && paragraphs(person.summary ?? ''),
    aside: panel(
      words.facts,
      facts([
        [words.gender, translated(words.genders, person.gender)],
        [words.born, person.birthday],
        [words.birthplace, inOwnLanguage(person.born_place)],
        [words.names, texts(reader, [...person.aka, ...person.aka_en]), true],
        [words.website, website(person.website), true],
      ]),
    ),
    body: html`${works.length > 0 && html`${sectionHead(words.works, { href: `${path}works/`, label: page.all })}${grid(works.map((work) => work.card))}`}
    ${
      photos.length > 0 &&
      html`${sectionHead(words.photos, { href: `${path}photos/`, label: page.all })}${photoGrid(photos.slice(0, 6), words.photosOf(person.name))}`
    }`,
  })}`;
}
