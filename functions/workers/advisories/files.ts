import type { RecordFeed } from '#shared/advisories/feeds.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Validators } from './fetch.ts';

/** A file of a feed that was read. */
export type FeedFile = Validators & {
  feed: RecordFeed;
  /** Its address. */
  file: string;
  checkedAt: string;
  publishedAt?: string | undefined;
  entries?: number;
  /**
   * For NVD's file of changes: the end of a gap. The file was not read for so long that it no longer has all changes.
   */
  gapUntil?: string | undefined;
};

export const feedFiles = defineRow<FeedFile, Pick<FeedFile, 'feed' | 'file'>>({
  name: 'feed-file',
  about: 'a file of a feed about vulnerabilities (NVD, OSV) that was read, and when',
  key: ({ feed, file }) => [feed, file],
});
