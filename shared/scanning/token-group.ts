import type { LinkToken } from '../entities/link-token.ts';
import { publicScannerGroups } from '../entities/public-scanner-group.ts';
import { scannerGroups } from '../entities/scanner-group.ts';
import { invalid } from '../http/errors.ts';
import type { Table } from '../table/table.ts';

/** Which of a machine's lists the group of a link token belongs to. */
export async function placeByToken(table: Table, { kind, group }: Pick<LinkToken, 'kind' | 'group'>) {
  if (group === null) return { groupIds: [] };
  const isShared = kind === 'scanner' && (await table.find(publicScannerGroups, group)) !== undefined;
  return isShared ? { groupIds: [], publicGroupIds: [group] } : { groupIds: [group] };
}

/** Only scanners have groups that are records. @throws validation_failed for a group that does not exist */
export async function assertTokenGroup(table: Table, { kind, group }: Pick<LinkToken, 'kind' | 'group'>) {
  if (group === null || kind !== 'scanner') return;
  const [own, shared] = await Promise.all([table.find(scannerGroups, group), table.find(publicScannerGroups, group)]);
  if (!own && !shared) throw invalid('group', 'names no scanner group');
}
