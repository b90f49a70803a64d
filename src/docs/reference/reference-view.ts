import { type ContentLanguage, type DocsMessages } from '../messages/docs-messages';

/** Data that all pages of the reference in one language share. */
export interface ReferenceView {
  readonly words: DocsMessages;
  readonly language: ContentLanguage;
  readonly baseUrl: string;
}
