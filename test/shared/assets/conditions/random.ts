import * as fc from 'fast-check';
import { AssetIdentifiers } from '#shared/assets/asset/asset-facts.ts';
import type { AssetFacts } from '#shared/assets/asset/asset-filter-fields.ts';
import type { Filter, Leaf } from '#shared/platform/filter/filter.ts';

const NAMES = ['web-01.example.com', 'web-02', 'db', 'DB-7.lab.example.com', 'länder.example'];
const ADDRESSES = ['10.0.0.7', '10.0.9.1', '192.168.1.9', '2001:db8::7', '::ffff:10.0.0.8'];
const REPOSITORIES = ['github.com/acme/shop', 'github.com/acme/Api'];
const ACCOUNTS = ['111122223333', '444455556666'];
const TAGS = ['payments', 'lab', 'env:prod'];

const identity = fc.oneof(
  fc.record({ type: fc.constant('host' as const), value: fc.constantFrom(...NAMES, ...ADDRESSES) }),
  fc.record({ type: fc.constant('url' as const), value: fc.constantFrom('https://web-02/a', 'http://[2001:db8::7]/') }),
  fc.record({ type: fc.constant('repository' as const), value: fc.constantFrom(...REPOSITORIES) }),
  fc.record({ type: fc.constant('cloud_account' as const), value: fc.constantFrom(...ACCOUNTS) }),
  fc.record({ type: fc.constant('cloud_resource' as const), value: fc.constant('arn:aws:s3:::bucket') }),
);
const zone = fc.constantFrom(null, 'plant', 'office');

const cloud = fc.record({
  provider: fc.constant('aws'),
  accountId: fc.constantFrom(null, ...ACCOUNTS),
  region: fc.constant(null),
  resourceId: fc.constant(null),
  tags: fc.oneof(
    fc.dictionary(fc.constantFrom('env', 'team', '*'), fc.constantFrom('prod', 'test')),
    fc.constant(Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`key-${n}`, 'prod']))),
  ),
});
const identifiers = fc.record({
  hostnames: fc.subarray(NAMES),
  fqdns: fc.subarray(NAMES),
  ips: fc.oneof(fc.subarray(ADDRESSES), fc.constant(Array.from({ length: 9 }, (_, n) => `172.${n + 16}.0.1`))),
});

type Facts = Omit<AssetFacts, 'criticality' | 'internetExposed'> &
  Required<Pick<AssetFacts, 'criticality' | 'internetExposed'>>;

/** An asset as conditions see it. */
export const facts: fc.Arbitrary<Facts> = fc
  .tuple(
    identity,
    fc.record({
      zone,
      aliases: fc.array(
        identity.map((one) => ({ ...one, zone: null })),
        { maxLength: 2 },
      ),
      tags: fc.subarray(TAGS),
      identifiers: fc.option(
        identifiers.map((given) => AssetIdentifiers.parse(given)),
        { nil: undefined },
      ),
      cloud: fc.option(cloud),
      os: fc.constantFrom(null, { family: 'linux' as const, name: 'Ubuntu', version: '24.04' }),
      branches: fc.subarray(['main', 'release/1']),
      criticality: fc.constantFrom('medium' as const, 'critical' as const),
      internetExposed: fc.constantFrom(null, true, false),
      ownerId: fc.constantFrom(null, 'ann'),
    }),
  )
  .map(([own, { branches, ...more }]) => ({
    ...own,
    ...more,
    name: own.value,
    branches: own.type === 'repository' ? branches : [],
  }));

const leaf = (field: Leaf['field'], operators: Leaf['operator'][], values: string[]): fc.Arbitrary<Leaf> =>
  fc.constantFrom(...operators).chain((operator): fc.Arbitrary<Leaf> => {
    const key = field === 'cloudTag' ? fc.constantFrom('env', 'key-7', '*') : fc.constant(undefined);
    const value =
      operator === 'exists'
        ? fc.constant(undefined)
        : operator === 'in'
          ? fc.subarray(values, { minLength: 1 })
          : fc.constantFrom(...values);
    return fc.record({ field: fc.constant(field), operator: fc.constant(operator), key, value });
  });

const text: Leaf['operator'][] = ['equals', 'in', 'matches', 'exists'];

export const leaves: fc.Arbitrary<Leaf> = fc.oneof(
  leaf('type', ['equals', 'in'], ['host', 'repository', 'cloud_account']),
  leaf('type', ['matches', 'exists'], ['re*', 'HO*']),
  leaf('criticality', ['equals', 'in'], ['medium', 'critical', 'low']),
  leaf('internetExposed', ['equals', 'in'], ['true', 'false', 'unknown']),
  leaf('owner', ['equals', 'in'], ['ann', 'none']),
  leaf('owner', ['exists'], []),
  leaf('text', ['matches', 'equals'], ['web', 'payments', 'lab env', '10.0.0.7']),
  leaf('hostname', text, [...NAMES, 'web-*', '*.example.com', 'we*', 'DB*', 'LÄNDER*', '*']),
  leaf('ip', ['equals', 'in', 'exists'], ADDRESSES),
  leaf('ip', ['matches'], ['10.0.*', '*']),
  leaf('ip', ['cidr'], ['10.0.0.0/8', '10.0.0.0/24', '10.0.0.8', '2001:db8::/32', '::/0', '::ffff:10.0.0.0/112']),
  leaf('tag', text, [...TAGS, 'ENV:*']),
  leaf('cloudTag', text, ['prod', 'test', 'P*']),
  leaf('cloudAccount', text, [...ACCOUNTS, '1111*']),
  leaf('repository', text, [...REPOSITORIES, 'github.com/ACME/*']),
  leaf('branch', text, ['main', 'release/*']),
  leaf('zone', text, ['plant', 'office', 'PL*']),
  leaf('os', text, ['linux', 'ubuntu 24.04', 'ubuntu*', 'windows']),
);

export const conditions: fc.Arbitrary<Filter> = fc.letrec<{ condition: Filter }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaves as fc.Arbitrary<Filter>,
    fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
})).condition;
