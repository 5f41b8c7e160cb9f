import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { isOutdated } from './changes.ts';
import { idsOf } from './ids.ts';
import type { KnownEntry } from './lookup.ts';
import type { Session } from './session.ts';

/**
 * The fingerprints of entries that other findings have already. Before two formats of a tool were known as one, each made
 * a finding of its own; both stay until their problem is gone, with what people decided about each.
 */
export async function takenFingerprints(
  { table, entity }: Session,
  known: readonly KnownEntry[],
  whole: ReadonlyMap<string, StoredFinding>,
): Promise<Set<string>> {
  const values = known.flatMap(({ entry, standing }) => {
    const finding = whole.get(standing?.id ?? '');
    return finding && isOutdated(finding, entry) ? [entry.fingerprint] : [];
  });
  const ids = await idsOf(table, entity, { field: 'fingerprint', values, consistent: true });
  return new Set(ids.keys());
}
