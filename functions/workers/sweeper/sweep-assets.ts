import { assets } from '#shared/assets/asset/asset.ts';
import { assetTimer } from '#shared/assets/asset/asset-timer.ts';
import { readSettings } from '#shared/credentials/organization-settings.ts';
import { queueRetirement } from '#shared/exposure/asset-actions/retire.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import type { Due } from './due.ts';

/** Assets that one transaction retires, beside the rows of their index. */
const AT_ONCE = 40;

/** Retires the assets of an organization that nothing saw for long: only the index of such assets is read. */
export async function sweepAssets({ table, connections, timer }: Due): Promise<void> {
  const { assetRetiredDays } = await readSettings(table);
  const to = inSeconds(-assetRetiredDays * 86_400).slice(0, 10);
  const due = await ordinalsOf(table, assets, { between: { seen: { to } } });
  for (const part of chunksOf(due, AT_ONCE)) {
    const found = await recordsAt(table, assets, part);
    const silent = found.filter(({ agentId }) => agentId == null);
    if (silent.length > 0) await queueRetirement({ connections, table }, silent);
  }
  await table.write(removeTimer(timer), putTimer(assetTimer(table)));
}
