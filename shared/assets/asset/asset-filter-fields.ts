import { EXAMPLE_ID, type Fields, previewedField, WORDS } from '#shared/platform/filter/fields.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { type Asset, tagsOf } from './asset.ts';
import { addressesOf, cloudAccountsOf, hostNamesOf, repositoriesOf } from './asset-names.ts';
import { withAddress, withKey, withName } from './narrowed.ts';
import { spelledOs } from './operating-system.ts';
import { ratedFields } from './rated-filter-fields.ts';

/** An asset as rules see it, with the branches of a repository. */
export type AssetFacts = Pick<Asset, 'type' | 'value' | 'name' | 'zone' | 'tags'> &
  Partial<
    Pick<Asset, 'ruleTags' | 'aliases' | 'identifiers' | 'cloud' | 'os' | 'criticality' | 'internetExposed' | 'ownerId'>
  > & { branches: readonly string[] };

const read = (of: (facts: AssetFacts, key: string) => readonly string[]) => ({ read: of });

/** The fields of filters of assets that conditions of rules have too. */
export const ruledFields = {
  type: {
    kind: 'choice',
    mark: 'type',
    values: AssetType.options,
    about: 'the type',
    example: 'host,repository',
    ...read(({ type }) => [type]),
  },
  hostname: {
    kind: 'names',
    caseless: true,
    about: 'a name of a host, or of the site of a web application',
    example: 'web-*',
    ...read(hostNamesOf),
    narrowed: withName,
  },
  ip: {
    kind: 'address',
    about: 'an address, or a block of addresses, v4 or v6',
    example: '10.0.0.0/8',
    ...read(addressesOf),
    narrowed: withAddress,
  },
  tag: {
    kind: 'value',
    mark: 'tag',
    spelled: caseless,
    about: 'a tag of a person or a rule',
    example: 'payments',
    ...read(tagsOf),
  },
  cloudTag: {
    kind: 'names',
    keyed: true,
    about: 'a tag at the cloud provider: key=value, or the key alone',
    example: 'env=prod',
    ...read(({ cloud }, key) => (Object.hasOwn(cloud?.tags ?? {}, key) ? [cloud?.tags[key] ?? ''] : [])),
    narrowed: withKey,
  },
  cloudAccount: {
    kind: 'value',
    mark: 'account',
    spelled: caseless,
    about: 'the cloud account',
    example: '123456789012',
    ...read(cloudAccountsOf),
  },
  repository: {
    kind: 'names',
    caseless: true,
    about: 'a name of a repository',
    example: 'github.com/acme/*',
    ...read(repositoriesOf),
    narrowed: () => ({ name: 'type', values: ['repository'] }),
  },
  branch: {
    kind: 'names',
    about: 'a scanned branch of a repository',
    example: 'main',
    ...read(({ branches }) => branches),
    narrowed: () => ({ name: 'type', values: ['repository'] }),
  },
  zone: {
    kind: 'value',
    mark: 'zone',
    spelled: caseless,
    absent: true,
    about: 'the zone',
    example: 'dmz',
    ...read(({ zone }) => (zone === null ? [] : [zone])),
  },
  os: {
    kind: 'names',
    caseless: true,
    about: 'the family of the operating system, its name, or its name and version',
    example: 'ubuntu 24.*',
    ...read(({ os }) =>
      os ? [os.family, os.name ?? [], os.name && os.version ? `${os.name} ${os.version}` : []].flat() : [],
    ),
  },
  criticality: { ...ratedFields.criticality, ...read(({ criticality = [] }) => [criticality].flat()) },
  internetExposed: {
    ...ratedFields.internetExposed,
    ...read(({ internetExposed }) => [String(internetExposed ?? 'unknown')]),
  },
  owner: ratedFields.owner,
  team: ratedFields.team,
  text: WORDS,
} as const satisfies Fields;

/** The fields of filters of assets. */
export const assetFilterFields: Fields = {
  ...ruledFields,
  application: {
    kind: 'value',
    mark: 'application',
    absent: true,
    unless: { name: 'retired', values: ['true'] },
    about: 'the id of an application',
    example: EXAMPLE_ID,
  },
  system: {
    kind: 'value',
    mark: 'os',
    spelled: spelledOs,
    about: 'the operating system: family, name and version',
    example: 'linux|Ubuntu|24.04',
  },
  managed: { kind: 'flag', mark: 'managed', yes: 'true', about: 'a host on which an agent reports', example: 'false' },
  retired: { kind: 'flag', mark: 'retired', yes: 'true', about: 'retired', example: 'false' },
  lastSeen: {
    kind: 'day',
    order: 'seen',
    about: 'the day on which it was seen last; retired assets have none',
    example: '30d',
  },
  preview: previewedField('type', AssetType.options),
};
