import { hash } from 'node:crypto';
import * as z from 'zod';
import { Id, readOnly, recordFields, Timestamp } from '../http/records.ts';
import { AssetType } from '../reports/report.ts';
import { count, defineEntity } from '../table/entity.ts';
import { OperatingSystem, osTally } from './operating-system.ts';

export const CRITICALITIES = ['low', 'medium', 'high', 'critical'] as const;

/**
 * A thing that the organization owns and that can be attacked. `zone` null: reachable under its name from everywhere.
 */
export const Asset = z
  .object({
    ...recordFields,
    type: AssetType,
    /** Identifies the asset within its zone: a host name or address, a URL, a repository. */
    value: z.string().min(1).max(2048),
    name: z.string().min(1).max(300),
    zone: z.string().nullable(),
    criticality: z.enum(CRITICALITIES).default('medium'),
    internetExposed: z.boolean().nullable().default(null),
    tags: z.array(z.string().max(120)).max(50).default([]),
    firstSeenAt: readOnly(Timestamp),
    /** The report of the agent on the asset. */
    os: readOnly(OperatingSystem.nullish()),
    agentId: readOnly(Id.nullish()),
    software: readOnly(z.object({ count: z.int().nonnegative(), changedAt: Timestamp }).nullish()),
  })
  .meta({ id: 'Asset' });
export type Asset = z.infer<typeof Asset>;

export type AssetIdentity = Pick<Asset, 'type' | 'value' | 'zone'>;

/**
 * One text per asset: the same private address in two zones is two assets. Hashed, because keys have a maximum length.
 */
export const assetKey = ({ zone, type, value }: AssetIdentity): string =>
  hash('sha256', JSON.stringify([zone ?? '', type, value]), 'base64url').slice(0, 27);

export const assets = defineEntity(Asset, {
  name: 'asset',
  told: ['type', 'value', 'name', 'zone', 'criticality', 'internetExposed', 'tags'],
  dimensions: { type: AssetType.options, criticality: CRITICALITIES },
  parents: { zone: { of: ({ zone }) => zone } },
  facets: (asset) => ({
    ...count({ type: asset.type, criticality: asset.criticality }),
    ...(asset.internetExposed && { internetExposed: 1 }),
  }),
  tallies: ({ zone, os }) => [{ facet: 'zone', value: zone }, ...osTally(os)],
  search: ({ name, value, zone, tags }) => [name, value, zone, ...tags],
  unique: (asset) => ({ identity: assetKey(asset) }),
});
