import { defineRow } from '#shared/platform/table/io/row.ts';

/**
 * A scan whose report is applied. Reports may be worked in another order than they arrived (a redrive, another scan
 * scope between two slices): the worker of an older report finds here the sightings and proofs of newer ones.
 */
type RecentScan = {
  /** The scans that may see the same findings (`familyOf`). */
  family: string;
  /** When the report came in. */
  at: string;
  taskId: string;
  /** Its scan scope. */
  scope: string;
  /** Its facts are stored and list the findings that it proves gone. */
  proves: boolean;
  expiresAt: string;
};

export const recentScans = defineRow<RecentScan, Pick<RecentScan, 'family' | 'at' | 'taskId'>>({
  name: 'recent-scan',
  about: 'a scan whose report is applied, for older reports that are worked after it',
  key: ({ family, at, taskId }) => [family, `${at}#${taskId}`],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** A message stays for 14 days in its queue and for 14 days among the dead letters. */
export const RECENT_SECONDS = 30 * 86_400;
