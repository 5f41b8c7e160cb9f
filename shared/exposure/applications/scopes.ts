import type { Leaf } from '#shared/platform/filter/filter.ts';
import { FilterObject } from '#shared/platform/filter/schema.ts';

/** By what assets are linked in bulk. */
export const SCOPE_KINDS = [
  ...(['asset', 'type', 'zone', 'tag', 'cloud_tag', 'cloud_account', 'repository', 'hostname', 'cidr'] as const),
] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** `facet`: the counter of the assets that have a value of the kind; undefined: all assets have one. */
type ScopeFormat = { label: string; valueFormat: string; facet?: string };

export const SCOPES: Readonly<Record<ScopeKind, ScopeFormat>> = {
  asset: { label: 'Asset', valueFormat: 'send `id`, the id of an asset' },
  type: { label: 'Type of asset', valueFormat: 'a type, as host' },
  zone: { label: 'Zone', valueFormat: 'the name of a zone', facet: 'zoned' },
  tag: { label: 'Tag', valueFormat: 'a tag of people or of a rule', facet: 'tagged' },
  cloud_tag: { label: 'Cloud tag', valueFormat: 'key=value, or the key alone', facet: 'cloudTagged' },
  cloud_account: { label: 'Cloud account', valueFormat: 'the id of an account', facet: 'inAccount' },
  repository: { label: 'Repository', valueFormat: 'host/owner/name; `*` for any characters', facet: 'type:repository' },
  hostname: { label: 'Host name', valueFormat: 'a name; `*` for any characters', facet: 'named' },
  cidr: { label: 'Addresses', valueFormat: 'an address or a block, as 10.1.0.0/16', facet: 'addressed' },
};

/** The condition of an item of a kind; undefined for an unknown value. */
export function scopeCondition(kind: Exclude<ScopeKind, 'asset'>, value: string): Leaf | undefined {
  const condition = leafOf(kind, value);
  return FilterObject.safeParse(condition).success ? condition : undefined;
}

function leafOf(kind: Exclude<ScopeKind, 'asset'>, value: string): Leaf {
  if (kind === 'cidr') return { field: 'ip', operator: 'cidr', value };
  if (kind === 'hostname' || kind === 'repository') return { field: kind, operator: 'matches', value };
  if (kind === 'cloud_account') return { field: 'cloudAccount', operator: 'equals', value };
  if (kind !== 'cloud_tag') return { field: kind, operator: 'equals', value };
  const [key = '', ...rest] = value.split('=');
  return rest.length === 0
    ? { field: 'cloudTag', key, operator: 'exists' }
    : { field: 'cloudTag', key, operator: 'equals', value: rest.join('=') };
}
