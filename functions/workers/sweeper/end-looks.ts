import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { withoutLooks } from '#shared/assets/asset/look.ts';
import { LOOK_DAYS } from '#shared/assets/controls/asset-look.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';

const AT_ONCE = 100;

/** Removes looks that are too old to prove anything from assets: only the index of such assets is read. */
export async function endLooks(table: Table): Promise<void> {
  const first = inSeconds(-LOOK_DAYS * 86_400).slice(0, 10);
  const due = await ordinalsOf(table, assets, { between: { looked: { to: first } } });
  for (const part of chunksOf(due, AT_ONCE)) {
    const changed = (await recordsAt(table, assets, part)).flatMap((asset) => {
      const changes = withoutLooks(asset, ({ day }) => day <= first);
      return changes ? [[asset, table.changed<Asset, never>(asset, changes)] as const] : [];
    });
    await commitMany(table.batch, changed, (batch, [asset, next]) => batch.update(assets, asset, next));
  }
}
