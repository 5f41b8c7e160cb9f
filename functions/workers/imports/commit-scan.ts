import { createHash } from 'node:crypto';
import { findings } from '#shared/findings/finding/finding.ts';
import { TASK_KEPT_SECONDS } from '#shared/platform/jobs/task.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Accepted, Read } from './phases.ts';

type CommitScan = {
  place: string;
  /** When the first report on the commit came in. */
  at: string;
  expiresAt: string;
};

export const commitScans = defineRow<CommitScan, Pick<CommitScan, 'place'>>({
  name: 'commit-scan',
  about: 'the first report on a commit of a target: findings that came since are new for each further report on it',
  key: ({ place }) => [place],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** Without a commit, a report with the same findings counts as a retry for so long. */
const RETRY_SECONDS = 12 * 3_600;

/**
 * Since when findings are new for a report: since the first report on its commit, so that the retry of a CI job, or the
 * report of another tool, gets the answer of the first. Stored before any finding: also after an import that failed.
 */
export async function findSince(read: Read): Promise<Read> {
  const { table, at, submission } = read;
  const place = placeOf(read);
  if (!place) return read;
  const rows = table.rows(commitScans);
  const since = await retry(async () => {
    const first = await rows.find({ place }, true);
    // reports may be worked in another order than they came in
    if (first && first.at <= at) return first.at;
    const expiresAt = inSeconds(submission.commit === undefined ? RETRY_SECONDS : TASK_KEPT_SECONDS);
    const isPut = await rows.put({ place, at, expiresAt }, first ? { at: first.at } : 'absent');
    if (!isPut) throw conflict('Another report on the commit came first.');
    return at;
  }, isConflict);
  return { ...read, since };
}

/** On a branch, all that its base lacks is new, whenever it came. */
function placeOf({ entity, submission, scope, manifest: { digest } }: Read): string | undefined {
  const { commit, target, zone = null } = submission;
  if (entity !== findings) return undefined;
  if (commit === undefined) return digest && hashOf(JSON.stringify([scope, digest]));
  return hashOf(JSON.stringify([target?.type, target?.value, zone, commit.toLowerCase()]));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** A digest of the findings of a report, in any order; undefined where the commit tells reports apart, and of scanners. */
export const digestOf = ({ submission }: Accepted, fingerprints: Iterable<string>): string | undefined =>
  submission.commit === undefined && submission.source === 'import'
    ? hashOf([...fingerprints].sort().join())
    : undefined;
