import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { conflict, type ErrorDetail, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { modifyMachine } from '../machines/machines.ts';
import { MAX_GROUPS_OF_SCANNER, memberFacet, scanners } from '../scanners/scanner.ts';
import { scannerGroups } from '../scanners/scanner-group.ts';
import { scannerMachines } from './presence.ts';

/** The scanners of a group or pool, from the scanners' own lists. One read. */
export async function membersOf(table: Table, groupId: string) {
  const members = await table.tallies(scanners, memberFacet(groupId));
  const online = members.reduce((sum, { counts }) => sum + (counts.online ?? 0), 0);
  return { scannerIds: members.flatMap(({ value }) => value ?? []), scanners: { total: members.length, online } };
}

/** Groups that a scanner will join. @throws validation_failed for a missing group */
export async function assertGroups(table: Table, scannerId: string, groupIds: readonly string[] | null | undefined) {
  if (!groupIds || groupIds.length === 0) return;
  const [found, current] = await Promise.all([
    table.findMany(scannerGroups, groupIds),
    table.find(scanners, scannerId),
  ]);
  const known = new Set([...found.map(({ id }) => id), ...(current?.groupIds ?? [])]);
  const at = groupIds.findIndex((id) => !known.has(id));
  if (at >= 0) throw invalid(`groupIds.${at}`, 'must be the id of a scanner group');
}

type Membership = 'groupIds' | 'publicGroupIds';

/** @throws validation_failed for one that is no scanner of the organization, or cannot join another group */
export async function assertScanners(
  table: Table,
  ids: readonly string[],
  { field, groupId }: { field: Membership; groupId?: string },
): Promise<void> {
  const found = new Map((await table.findMany(scanners, ids)).map((scanner) => [scanner.id, scanner]));
  for (const [n, id] of ids.entries()) {
    const scanner = found.get(id);
    if (!scanner) throw invalid(`scannerIds.${n}`, 'must be the id of a scanner');
    const current = (scanner[field] ?? []).filter((one) => one !== groupId);
    if (current.length >= MAX_GROUPS_OF_SCANNER)
      throw invalid(`scannerIds.${n}`, `is already in ${current.length} groups, the maximum for a scanner`);
  }
}

/**
 * Makes these scanners, and no others, the members of a group. Each scanner changes separately; after a failure, the
 * same change completes it.
 */
export async function setMembers(
  table: Table,
  { groupId, field, wanted }: { groupId: string; field: Membership; wanted: readonly string[] },
): Promise<void> {
  const { scannerIds } = await membersOf(table, groupId);
  const leaving = scannerIds.filter((id) => !wanted.includes(id));
  const joining = wanted.filter((id) => !scannerIds.includes(id));
  const change = (id: string, groupsOf: (current: string[]) => string[]) =>
    modifyMachine(scannerMachines, table, { id, decide: (scanner) => ({ [field]: groupsOf(scanner[field] ?? []) }) });
  await eachAtOnce(leaving, AT_ONCE, (id) => change(id, (groups) => groups.filter((group) => group !== groupId)));
  await eachAtOnce(joining, AT_ONCE, (id) => change(id, (groups) => [...new Set([...groups, groupId])]));
}

/** Each is two or three writes; so many go on at the same time. */
const AT_ONCE = 8;

/** @throws conflict naming what uses it */
export function assertUnused(kind: string, uses: ErrorDetail[]): void {
  if (uses.length > 0)
    throw conflict(`This ${kind} is in use: ${uses.map(({ message }) => message).join(', ')}.`, uses);
}
