import { queueRetirement } from '#shared/assets/retire.ts';
import { assets } from '#shared/entities/asset.ts';
import { readSettings } from '#shared/entities/organization-settings.ts';
import { assetTimer } from '#shared/findings/asset-timer.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import { putTimer, removeTimer, type Timer } from '#shared/timers/timers.ts';
import { tableOf } from './table-of.ts';

/** Assets that one transaction retires, beside the rows of their index. */
const AT_ONCE = 40;

/** Retires the assets of an organization that nothing saw for long: only the index of those is read. */
export async function sweepAssets(connections: Connections, timer: Timer): Promise<void> {
  const table = tableOf(connections.dynamo, timer);
  const { assetRetiredDays } = await readSettings(table);
  const to = inSeconds(-assetRetiredDays * 86_400).slice(0, 10);
  const due = await ordinalsOf(table, assets, { between: { seen: { to } } });
  for (const part of chunksOf(due, AT_ONCE)) {
    const found = await recordsAt(table, assets, part);
    const silent = found.filter(({ agentId }) => agentId == null);
    if (silent.length > 0) await queueRetirement(connections, table, silent);
  }
  const batch = table.batch();
  batch.write(removeTimer(timer), putTimer(assetTimer(table)));
  await batch.commit();
}
