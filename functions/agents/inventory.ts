import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { Software } from '#shared/entities/agent.ts';
import type { Bucket } from '#shared/runtime/bucket.ts';

/** The software of a host in one form: sorted, without duplicates. */
export type Inventory = { count: number; digest: string; json: string };

const nameOf = ({ name, version, vendor = null, purl = null }: Software): string =>
  JSON.stringify({ name, version, vendor, purl });

export function inventoryOf(software: readonly Software[]): Inventory {
  const entries = [...new Set(software.map(nameOf))].sort();
  const json = `[${entries.join(',')}]`;
  return { count: entries.length, digest: createHash('sha256').update(json).digest('base64url').slice(0, 22), json };
}

type InventoryOwner = { organizationId: string; assetId: string };

/** The object of the asset's inventory. In the table an inventory of 10,000 entries would take 200 writes. */
const keyOf = ({ organizationId, assetId }: InventoryOwner): string => `${organizationId}/software/${assetId}.json.gz`;

export const putInventory = (bucket: Bucket, owner: InventoryOwner, { json }: Inventory): Promise<void> =>
  bucket.put(keyOf(owner), gzipSync(json));

export async function readInventory(bucket: Bucket, owner: InventoryOwner): Promise<Software[]> {
  const packed = await bucket.get(keyOf(owner));
  return packed ? z.array(Software).parse(JSON.parse(gunzipSync(packed).toString('utf8'))) : [];
}
