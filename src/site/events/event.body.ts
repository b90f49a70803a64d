import { type Wire } from '../../api/resources/resource';
import { type EventUser } from '../../events/events.resources';
import { chips, counts, crumbs, panel, sectionHead } from '../../web/components';
import { html, type Html, type Piece } from '../../web/html';
import { PATHS } from '../../web/layout';
import { avatar, cover, inOwnLanguage } from '../../web/record-components';
import { aboutPanel, paragraphs, userList, workLayout } from '../parts';
import { to } from '../paths';
import { type SiteReader } from '../site-pages.service';
import { calendarLeaf, eventCards, placeOf, span, type EventTimes } from './event.pages';

/** The content of an event's page. */
export interface EventView {
  readonly one: EventTimes;
  /** In degrees; null when unknown. */
  readonly place: { readonly lat: number | null; readonly lon: number | null };
  /** Uid of the city, if it has one. */
  readonly city: string | undefined;
  /** The description as plain text. */
  readonly text: string;
  readonly participants: readonly Wire<typeof EventUser>[];
  /** Other events of the city. */
  readonly others: readonly EventTimes[];
}

const mapOf = ({ lat, lon }: EventView['place']): string =>
  `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;

/** The type of an event by the name that the API has for it, as a link to events of the type. */
function typeChip({ words }: SiteReader, category: string, city: string | undefined): Piece {
  const types: Readonly<Record<string, string>> = words.event.types;
  const label = types[category];
  return label !== undefined && chips([{ href: to.events({ loc: city, type: category }), label }]);
}

function whenAndWhere(reader: SiteReader, { one, place }: EventView): Html {
  const { words } = reader;
  const { zone } = one;
  return html`<div class="when">
      ${calendarLeaf(reader, one.begins, zone)}
      <p>
        ${span(reader, one, zone)}<br /><span class="soft small">${words.event.zone(zone)}</span>
      </p>
    </div>
    <p>
      ${inOwnLanguage(placeOf(one.event))}
      ${place.lat !== null && html`<a href="${mapOf(place)}" rel="noopener">${words.event.map}</a>`}
    </p>
    <p>
      <a class="button quiet" href="${to.eventCalendar(one.event.id)}">${words.event.calendar}</a>
    </p>`;
}

/** The page of an event. */
export function eventBody(reader: SiteReader, view: EventView): Html {
  const { words, number } = reader;
  const { one, city, text, participants, others } = view;
  const { event } = one;
  const all = { href: to.events({ loc: city }), label: words.page.all };
  return html`${crumbs(words.page.path, [
    { href: PATHS.events, label: words.event.events },
    { href: to.events({ loc: city }), label: inOwnLanguage(event.loc_name) },
  ])}
  ${workLayout({
    picture: cover({
      ...{ src: event['image-hlarge'], alt: event.title, shape: 'event', eager: true },
    }),
    title: event.title,
    head: whenAndWhere(reader, view),
    aside: html`${panel(
      words.event.who,
      html`${counts([
        [words.event.going, number(event.participant_count)],
        [words.event.wishing, number(event.wisher_count)],
      ])}
      ${userList(participants)}`,
    )}
    ${aboutPanel(words.event.organizer, {
      href: to.person(event.owner.uid),
      picture: avatar(event.owner.avatar, 'large'),
      name: event.owner.name || event.owner.uid,
      lines: [],
    })}`,
    body: html`${text !== '' && html`${sectionHead(words.event.about)}${paragraphs(text)}`}
    ${typeChip(reader, one.category, city)}`,
  })}
  ${
    others.length > 0 &&
    html`${sectionHead(words.event.more(event.loc_name), all)}${eventCards(reader, others)}`
  }`;
}
