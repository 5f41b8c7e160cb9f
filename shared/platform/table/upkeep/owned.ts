import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { shortId } from '../../runtime/ids.ts';
import { retried } from '../io/retried.ts';
import { GLOBAL_SCOPE, type Key, type Row } from '../layout/keys.ts';

/** A page of the whole table, and where the next begins; undefined at the end. Only for what removes, copies or restores an organization. */
export async function scanPage(dynamo: Dynamo, from?: Key): Promise<{ rows: Row[]; next: Key | undefined }> {
  const scan = new ScanCommand({ TableName: dynamo.tableName, ExclusiveStartKey: from, ConsistentRead: true });
  const { Items = [], LastEvaluatedKey } = await retried(() => dynamo.client.send(scan));
  return { rows: Items as Row[], next: LastEvaluatedKey as Key | undefined };
}

/** Rows that list several organizations, and belong to their provider. */
const SHARED = `${GLOBAL_SCOPE}#pool#`;

/** The rows of a collection, which have counters: these are removed as records. */
const isOfCollection = (row: Row): boolean => '_c' in row || '_v' in row;

/**
 * Whether a row belongs to an organization: it is in the organization's key scope, or it is no record and names the
 * organization in the global key scope (timers, turns, sources of webhooks ...) or as the organization for which
 * another's machine works.
 */
export function isOwned(organizationId: string, row: Row): boolean {
  const tenant = shortId(organizationId);
  if (row.pk.startsWith(`${tenant}#`)) return true;
  if (isOfCollection(row)) return false;
  if (row.pk.startsWith(SHARED)) return row.providerId === organizationId;
  return row.organizationId === organizationId || (row.pk.startsWith(`${GLOBAL_SCOPE}#`) && names(organizationId, row));
}

/** Whether a row names an organization, in its key or in an attribute that is not packed. */
export function names(organizationId: string, row: Row): boolean {
  const isText = (value: unknown) => !(value instanceof Uint8Array || typeof value === 'bigint');
  const text = JSON.stringify(row, (_, value) => (isText(value) ? value : undefined));
  return text.includes(organizationId) || text.includes(shortId(organizationId));
}

/** The kind of a row: the second part of its key. */
export const kindOf = ({ pk }: Key): string => pk.split('#')[1] ?? '';
