import { type Card } from '../web/record-components';
import { type PageDependencies } from './page-memory';
import { type Piece } from '../web/html';

/** An object of schema.org; `@context` is added. */
export type StructuredData = Readonly<Record<string, unknown>>;

/** A feed that a page announces. */
export interface FeedLink {
  readonly title: string;
  readonly path: string;
}

/** The parts of a public page besides its body. */
export interface SitePage extends PageDependencies {
  readonly title: string;
  /** One or two sentences for search engines; shortened to 200 characters. */
  readonly description: string;
  /** Canonical path and query, without the language. */
  readonly path: string;
  /** The area in the header: one of `PATHS`. */
  readonly area?: string;
  /** Type of Open Graph. */
  readonly type?: 'website' | 'book' | 'video.movie' | 'profile' | 'article';
  /** Absolute address of a picture. */
  readonly image?: string;
  readonly data?: readonly StructuredData[];
  readonly feeds?: readonly FeedLink[];
  /** Path of the same content in the API. */
  readonly json?: string;
  /** Whether the body has the search field, so that the header has none. */
  readonly hasSearchField?: boolean;
  /** Whether search engines may index it; not so for pages that depend on a search. */
  readonly indexed?: boolean;
  readonly body: Piece;
}

export type { Card };
