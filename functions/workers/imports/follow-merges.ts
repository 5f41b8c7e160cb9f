import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { type Place, rowsOf } from './lookup.ts';

/** So often a finding may have become one with another that became one with another again. */
const MAX_STEPS = 5;

/** The findings with these ids; for one that became one with another, that other. */
export async function followMerges(place: Place, ids: readonly string[]): Promise<Map<string, FindingRow>> {
  const { table } = place;
  const found = await rowsOf(place, ids);
  let missing = new Map(ids.filter((id) => !found.has(id)).map((id) => [id, id]));
  for (let step = 0; step < MAX_STEPS && missing.size > 0; step++) {
    const merged = await rowsOf({ table, entity: mergedFindings }, [...missing.values()]);
    const next = [...missing].flatMap(([id, last]) => {
      const into = merged.get(last)?.mergedInto;
      return into === undefined ? [] : [[id, into] as const];
    });
    const rows = await rowsOf(
      place,
      next.map(([, into]) => into),
    );
    for (const [id, into] of next) {
      const row = rows.get(into);
      if (row) found.set(id, row);
    }
    missing = new Map(next.filter(([id]) => !found.has(id)));
  }
  return found;
}
