import { findings } from '../entities/finding.ts';
import { type StoredVulnerability, vulnerabilities } from '../entities/vulnerability.ts';
import { findingsPart } from '../findings/many/change-many.ts';
import type { Item } from '../findings/many/found.ts';
import { decideEach, placeOf } from '../findings/many/records.ts';
import type { Decided, Part } from '../findings/many/slices.ts';
import { UNDO_KEPT_DAYS } from '../findings/many/undo-rows.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { changeVulnerability } from './change.ts';
import { findingsNaming } from './followers.ts';
import { followingDeciding } from './following.ts';

/** @throws ApiError for a vulnerability that refuses the change */
type ChangesOf = (standing: StoredVulnerability) => Partial<StoredVulnerability> | undefined;

/** Vulnerabilities as a part of a task. */
export function vulnerabilitiesPart(table: Table, select: Part['select'], changesOf: ChangesOf): Part {
  return {
    select,
    decide: (items) => decidedOnEach(table, items, changesOf),
    collections: [vulnerabilities],
    undoableDays: UNDO_KEPT_DAYS,
  };
}

/** The decision on each vulnerability, in their order. */
export async function decidedOnEach(table: Table, items: readonly Item[], changesOf: ChangesOf): Promise<Decided[]> {
  return decideEach(items, {
    name: 'vulnerability',
    found: await vulnerabilitiesAt(table, items),
    decide(standing) {
      const changes = changesOf(standing);
      return changes && ((to) => changeVulnerability(to, standing, changes).undo);
    },
  });
}

const vulnerabilitiesAt = (table: Table, items: readonly Item[]): Promise<StoredVulnerability[]> =>
  wholeRecordsAt(table, vulnerabilities, { ordinals: [...new Set(items.map(placeOf))], consistent: true });

/** The findings of the vulnerabilities of the part before, which follow their decisions. */
export async function followersPart(table: Table): Promise<Part> {
  const deciding = await followingDeciding(table);
  const select = async (before: readonly Item[]) => findingsNaming(table, await vulnerabilitiesAt(table, before));
  return findingsPart(table, { ...deciding, select, entity: findings });
}
