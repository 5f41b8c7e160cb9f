import { findings } from '../entities/finding.ts';
import { type StoredVulnerability, vulnerabilities } from '../entities/vulnerability.ts';
import { findingsPart } from '../findings/many/change-many.ts';
import { refusal, refusing } from '../findings/many/decision.ts';
import type { Item } from '../findings/many/found.ts';
import type { Decided, Part } from '../findings/many/slices.ts';
import { ordinalOf } from '../runtime/ids.ts';
import { wholeRecordsAt } from '../table/selected.ts';
import type { Table } from '../table/table.ts';
import { changeVulnerability, KEPT_DAYS } from './change.ts';
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
    undoableDays: KEPT_DAYS,
  };
}

/** The decision on each vulnerability, in their order. */
export async function decidedOnEach(table: Table, items: readonly Item[], changesOf: ChangesOf): Promise<Decided[]> {
  const found = await vulnerabilitiesAt(table, items);
  return items.map((item) => decidedOn(item, found.get(placeOf(item)), changesOf));
}

const placeOf = (item: Item): number => (typeof item === 'number' ? item : ordinalOf(item));

async function vulnerabilitiesAt(table: Table, items: readonly Item[]): Promise<Map<number, StoredVulnerability>> {
  const ordinals = [...new Set(items.map(placeOf))];
  const found = await wholeRecordsAt(table, vulnerabilities, { ordinals, consistent: true });
  return new Map(found.map((one) => [ordinalOf(one.id), one]));
}

function decidedOn(item: Item, standing: StoredVulnerability | undefined, changesOf: ChangesOf): Decided {
  if (typeof item === 'number' && !standing) return { outcome: 'unchanged' };
  if (!standing || (typeof item === 'string' && standing.id !== item)) {
    const id = String(item);
    return refusal({ id, code: 'not_found', message: `There is no vulnerability ${id}.` });
  }
  return refusing<Decided>(standing.id, () => {
    const changes = changesOf(standing);
    if (!changes) return { outcome: 'unchanged' };
    return { outcome: 'changed', change: (to) => changeVulnerability(to, standing, changes).undo };
  });
}

/** The findings of the vulnerabilities of the part before, which follow their decisions. */
export async function followersPart(table: Table): Promise<Part> {
  const deciding = await followingDeciding(table);
  const select = async (before: readonly Item[]) =>
    findingsNaming(table, [...(await vulnerabilitiesAt(table, before)).values()]);
  return findingsPart(table, { ...deciding, select, entity: findings });
}
