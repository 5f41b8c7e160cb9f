import type { LinkToken } from '#shared/credentials/link-token.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { publicScannerGroups } from './public-scanner-group.ts';
import { scannerGroups } from './scanner-group.ts';

/**
 * The machine's list to which the group of a link token belongs; none when the group was deleted since, as for members
 * of a deleted group.
 */
export async function placeByToken(table: Table, { kind, group }: Pick<LinkToken, 'kind' | 'group'>) {
  if (group === null) return { groupIds: [] };
  if (kind !== 'scanner') return { groupIds: [group] };
  const { own, shared } = await findGroup(table, group);
  if (shared) return { groupIds: [], publicGroupIds: [group] };
  return { groupIds: own ? [group] : [], publicGroupIds: undefined };
}

async function findGroup(table: Table, id: string) {
  const [own, shared] = await Promise.all([
    table.find(scannerGroups, id, true),
    table.find(publicScannerGroups, id, true),
  ]);
  return { own, shared };
}

/** Only scanners have groups that are records. @throws validation_failed for a group that does not exist */
export async function assertTokenGroup(table: Table, { kind, group }: Pick<LinkToken, 'kind' | 'group'>) {
  if (group === null || kind !== 'scanner') return;
  const { own, shared } = await findGroup(table, group);
  if (!own && !shared) throw invalid('group', 'must be the id of a scanner group or shared pool');
}
