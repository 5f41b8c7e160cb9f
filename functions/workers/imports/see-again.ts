import { learnForDates, learnTraits } from '#shared/findings/sla/sla-policies.ts';
import { allSeen, unpackState } from '#shared/findings/view/scan-state.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { readWhole, update } from './apply.ts';
import { returnChanges } from './changes.ts';
import { rowsOf } from './lookup.ts';
import type { Applied } from './phases.ts';
import { commitTo, oneMore } from './progress.ts';

/**
 * Opens again what an older report closed although this one saw it later: this report had failed after its chunks were applied, the older one was
 * redriven first, and could not know of its sightings.
 */
export async function seeAgain(applied: Applied): Promise<Applied> {
  const { connections, files, manifest, progress, scopeRow } = applied;
  const { comparedWith } = progress.checkpoint;
  if (comparedWith === undefined || comparedWith === (scopeRow.stateKey ?? '')) return applied;
  for (let n = 0; n < Math.max(1, manifest.chunks); n++) {
    const seen = unpackState(await connections.bucket.get(files.seen(n)));
    const ids = [...allSeen(seen)].map(({ id }) => id);
    await retry(() => openClosed(applied, ids), isConflict);
  }
  return applied;
}

async function openClosed(applied: Applied, ids: readonly string[]): Promise<void> {
  const { table, entity, at, learned, progress } = applied;
  const rows = [...(await rowsOf(applied, ids)).values()];
  const closed = rows.flatMap(({ id, status, fixedAt = '' }) => (status === 'fixed' && fixedAt < at ? [id] : []));
  const whole = [...(await readWhole(table, entity, closed)).values()];
  await learnTraits(table, learned.sla, whole);
  await learnForDates(table, learned.sla, whole);
  for (const finding of whole) {
    const { write, after } = update(applied, finding, returnChanges(finding, { ...applied, ...learned }));
    const batch = table.batch(true);
    write?.(batch);
    const { counts, severities } = progress.checkpoint;
    await commitTo(applied, batch, {
      ...progress.checkpoint,
      counts: { ...counts, unchanged: Math.max(0, counts.unchanged - 1), reopened: counts.reopened + 1 },
      severities: after ? oneMore(severities, 'reopened', after.severity) : severities,
    });
  }
}
