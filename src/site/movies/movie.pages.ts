import { type Wire } from '../../api/resources/resource';
import { type CityShowing } from '../../movies/movie-pages.repository';
import { type Photo, type SimplePhoto } from '../../movies/photos.resources';
import { type MovieComment, type MovieReview } from '../../movies/reviews.resources';
import { type Subject } from '../../movies/subjects.resources';
import {
  chips,
  counts,
  crumbs,
  emptyState,
  facts,
  panel,
  sectionHead,
  table,
} from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { card, cover, grid, inOwnLanguage, rating } from '../../web/record-components';
import {
  aboutPanel,
  allOf,
  bigRating,
  byline,
  entries,
  given,
  list,
  paragraphs,
  subjectCard,
  workLayout,
  type SubjectJson,
} from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';

export type FullSubjectJson = Wire<typeof Subject>;
export type PhotoJson = Wire<typeof Photo>;
export type SimplePhotoJson = Wire<typeof SimplePhoto>;
export type MovieReviewJson = Wire<typeof MovieReview>;
export type MovieCommentJson = Wire<typeof MovieComment>;
type PersonJson = FullSubjectJson['directors'][number];

/** The content of a film's page. */
export interface SubjectView {
  readonly subject: FullSubjectJson;
  readonly showings: readonly CityShowing[];
  readonly comments: readonly MovieCommentJson[];
  readonly reviews: readonly MovieReviewJson[];
  /** Rank in the latest chart of the best films; undefined for a film that is not on it. */
  readonly rank: number | undefined;
  /** Other works of the first director. */
  readonly others: readonly SubjectJson[];
}

/** The path of an address of the API on this site. */
export const pathOf = (address: string): string => new URL(address).pathname;

/** Addresses of users that may be links: others could be scripts, or are invalid. */
export const webAddress = (address: string | undefined): string | undefined =>
  address !== undefined && /^https?:\/\//i.test(address) && URL.canParse(address)
    ? address
    : undefined;

const personLink = ({ id, name }: PersonJson): Piece =>
  id === null
    ? inOwnLanguage(name)
    : html`<a href="${to.celebrity(id)}">${inOwnLanguage(name)}</a>`;

const names = (reader: SiteReader, people: readonly PersonJson[]): Piece =>
  people.length > 0 && list(reader, people.map(personLink));

/** Texts in their own languages, one after the other. */
export const texts = (reader: SiteReader, values: readonly string[] = []): Piece =>
  values.length > 0 && list(reader, values.map(inOwnLanguage));

/** A link to a website; nothing for an address that may be a script. */
export const website = (address: string | undefined): Piece => {
  const safe = webAddress(address);
  return (
    safe !== undefined && html`<a href="${safe}" rel="nofollow noopener">${new URL(safe).host}</a>`
  );
};

function subjectFacts(reader: SiteReader, subject: FullSubjectJson): Html {
  const { movie: words } = reader.words;
  return facts([
    [words.director, names(reader, subject.directors)],
    [words.writer, names(reader, subject.writers ?? []), true],
    [words.genres, texts(reader, subject.genres)],
    [words.countries, texts(reader, subject.countries)],
    [words.languages, texts(reader, subject.languages)],
    [words.released, texts(reader, subject.pubdates), true],
    [words.duration, texts(reader, subject.durations)],
    [words.seasons, subject.seasons_count === null ? '' : subject.seasons_count],
    [words.episodes, subject.episodes_count === null ? '' : subject.episodes_count],
    [
      words.original,
      subject.original_title === subject.title ? '' : inOwnLanguage(subject.original_title),
    ],
    [words.aka, texts(reader, subject.aka), true],
    [words.website, website(subject.website)],
  ]);
}

/** A person with what the film has them for; a caption in place of it only for the crew. */
interface CastMember extends PersonJson {
  readonly caption?: string;
}

const portraits = (people: readonly CastMember[]): Html =>
  html`<ul class="grid shelf">
    ${people.map(
      ({ id, name, avatars, caption }) =>
        html`<li>
          ${
            id === null || avatars === null
              ? html`<span class="card"
                  >${cover({ src: '', alt: '', name, shape: 'portrait' })}<span class="title"
                    >${inOwnLanguage(name)}</span
                  >${caption !== undefined && html`<span class="by">${caption}</span>`}</span
                >`
              : card({
                  href: to.celebrity(id),
                  title: name,
                  cover: { src: avatars.large, shape: 'portrait' },
                  lines: [caption],
                })
          }
        </li>`,
    )}
  </ul>`;

/** Photos as links to their pages. */
export const photoGrid = (photos: readonly SimplePhotoJson[], alt: string): Html =>
  grid(
    photos.map(
      (photo, at) =>
        html`<a href="${pathOf(photo.alt)}"
          >${cover({ src: photo.cover || photo.image, alt: `${alt} ${at + 1}`, shape: 'photo' })}</a
        >`,
    ),
  );

function videos(reader: SiteReader, subject: FullSubjectJson): Piece {
  const { movie: words } = reader.words;
  const kinds = [
    ['trailer', subject.trailer_urls],
    ['clip', subject.clip_urls],
    ['blooper', subject.blooper_urls],
  ] as const;
  const links = kinds.flatMap(([kind, addresses = []]) =>
    addresses.flatMap((address, at) => {
      const href = webAddress(address);
      return href === undefined ? [] : [{ href, label: words.video(kind, at + 1) }];
    }),
  );
  return links.length > 0 && html`${sectionHead(words.videos)}${chips(links)}`;
}

/** Cities that show a film. */
export const showingsTable = (reader: SiteReader, showings: readonly CityShowing[]): Html => {
  const { movie: words } = reader.words;
  return table(
    words.showings,
    [{ title: words.city }, { title: words.from }, { title: words.until }],
    showings.map(({ uid, city, from, until }) => [
      html`<a href="${to.events({ loc: uid })}">${inOwnLanguage(city)}</a>`,
      from,
      until ?? '–',
    ]),
  );
};

/** Reviews in a list. */
export const movieReviewEntries = (reader: SiteReader, items: readonly MovieReviewJson[]): Html =>
  entries(
    items.map((one) => ({
      href: to.movieReview(one.id),
      title: one.title,
      by: byline(reader, one.author, one.created_at, given(reader, one.rating.value)),
      text: one.summary,
      below: html`<p class="soft small">
        ${reader.words.movie.useful(reader.number(one.useful_count))}
      </p>`,
    })),
  );

/** Short comments in a list. */
export const commentEntries = (reader: SiteReader, items: readonly MovieCommentJson[]): Html =>
  entries(
    items.map((one) => ({
      title: '',
      by: byline(reader, one.author, one.created_at, given(reader, one.rating.value)),
      text: one.content,
      below: html`<p class="soft small">
        ${reader.words.movie.useful(reader.number(one.useful_count))}
      </p>`,
    })),
  );

/** A heading with a link to all elements, if there are some. */
const headed = (reader: SiteReader, title: string, total: number, href: string): Html =>
  sectionHead(title, total > 0 ? { href, label: allOf(reader, total) } : undefined);

/** How many have seen and want to see a film. */
const viewers = ({ words, number }: SiteReader, subject: FullSubjectJson): Html =>
  panel(
    words.movie.viewers,
    counts([
      [words.movie.seen, number(subject.collect_count)],
      [words.movie.wish, number(subject.wish_count)],
    ]),
  );

/** The page of a film or series. */
export function subjectBody(reader: SiteReader, view: SubjectView): Html {
  const { subject } = view;
  const { words } = reader;
  const path = to.subject(subject.id);
  const caption = words.movie.director;
  const cast = [...subject.directors.map((one) => ({ ...one, caption })), ...subject.casts];
  const [director] = subject.directors;
  const photos = subject.photos ?? [];
  const genres = subject.genres ?? [];
  return html`${crumbs(words.page.path, [{ href: PATHS.movies, label: words.movie.films }])}
  ${workLayout({
    picture: cover({ src: subject.images.large, alt: subject.title, shape: 'poster', eager: true }),
    title: subject.title,
    head: html`<p class="lead">
        ${subject.original_title !== subject.title && inOwnLanguage(subject.original_title)}
        ${subject.year}
      </p>
      ${subject.directors.length > 0 && html`<p class="makers">${names(reader, subject.directors)}</p>`}
      ${bigRating(reader, subject.rating.average, subject.ratings_count)}
      ${view.rank !== undefined && html`<p><a href="${to.chart('top250')}">${words.movie.ranked(reader.number(view.rank), words.movie.chart.top250)}</a></p>`}`,
    below: html`${subject.summary.trim() !== '' && paragraphs(subject.summary)}
    ${genres.length > 0 && chips(genres.map((genre) => ({ label: inOwnLanguage(genre) })))}`,
    aside: html`${viewers(reader, subject)}${panel(words.movie.facts, subjectFacts(reader, subject))}`,
    first: cast.length > 0 && html`${sectionHead(words.movie.crew)}${portraits(cast)}`,
    body: html`${
      view.showings.length > 0 &&
      html`${sectionHead(words.movie.showings, { href: `${path}cinema/`, label: words.page.all })}${showingsTable(reader, view.showings.slice(0, 5))}`
    }
    ${videos(reader, subject)}
    ${
      photos.length > 0 &&
      html`${sectionHead(words.movie.photos, { href: `${path}photos/`, label: words.page.all })}${photoGrid(photos.slice(0, 6), words.movie.photosOf(subject.title))}`
    }
    ${headed(reader, words.movie.comments, subject.comments_count, `${path}comments/`)}
    ${view.comments.length > 0 ? commentEntries(reader, view.comments) : emptyState(words.movie.noComments)}
    ${headed(reader, words.movie.reviews, subject.reviews_count, `${path}reviews/`)}
    ${view.reviews.length > 0 ? movieReviewEntries(reader, view.reviews) : emptyState(words.movie.noReviews)}`,
  })}
  ${
    director &&
    director.id !== null &&
    view.others.length > 0 &&
    html`${sectionHead(words.movie.alsoBy(director.name), { href: `${to.celebrity(director.id)}works/`, label: words.page.all })}
    ${grid(view.others.map((one) => subjectCard(reader, one)))}`
  }`;
}

/** Links to the film of a text or photo. */
export const subjectCrumbs = (
  { words }: SiteReader,
  { id, title }: { readonly id: string; readonly title: string },
): Html =>
  crumbs(words.page.path, [
    { href: PATHS.movies, label: words.movie.films },
    { href: to.subject(id), label: inOwnLanguage(title) },
  ]);

/** The film of a text, beside the text. */
export const aboutFilm = (reader: SiteReader, subject: SubjectJson): Html =>
  aboutPanel(reader.words.movie.aboutFilm, {
    href: to.subject(subject.id),
    picture: cover({ src: subject.images.large, alt: '', name: subject.title, shape: 'poster' }),
    name: subject.title,
    lines: [
      subject.original_title !== subject.title && inOwnLanguage(subject.original_title),
      subject.year,
      rating(subject.rating.average, 10, reader.words.rating),
    ],
  });
