import { LargeResponseQueue } from './large-response-queue';

/**
 * The turn of lists with long texts: one of more than 500 KB of texts, or 1 MB of JSON, is read and
 * written at a time. Its rows may have 8 MB, and their strings as much. Those that wait hold at most
 * 500 KB of texts.
 */
export const longTextLists = new LargeResponseQueue({ concurrent: 1, waiting: 16 });

/** Other lists over 1 MB. Few wait, because each holds its rows in memory. */
export const largeLists = new LargeResponseQueue({ concurrent: 2, waiting: 4 });
