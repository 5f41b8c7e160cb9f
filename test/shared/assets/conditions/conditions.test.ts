import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { type AssetFacts, ruledFields } from '#shared/assets/asset/asset-filter-fields.ts';
import { hostNamesOf } from '#shared/assets/asset/asset-names.ts';
import { presentBits } from '#shared/assets/conditions/narrow.ts';
import { assertCondition, conditionCompiler, seenAsset } from '#shared/exposure/asset-rules/condition.ts';
import { type Filter, type Leaf, MAX_ALL_VALUES, MAX_DEPTH, MAX_LEAVES } from '#shared/platform/filter/filter.ts';
import { parseFilter } from '#shared/platform/filter/parse.ts';
import { printFilter } from '#shared/platform/filter/print.ts';
import { AssetCondition } from '#shared/platform/filter/schema.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';
import { conditions, facts, leaves } from './random.ts';

const store = useStore();
const compile = await conditionCompiler();
const fits = (condition: Filter | string, { branches, ...asset }: AssetFacts): boolean =>
  compile(condition).test(seenAsset({ firstSeenAt: now(), ...asset }, branches));

/** A comparison with so many values. */
const listed = (count: number): Filter => ({
  field: 'tag',
  operator: 'in',
  value: Array.from({ length: count }, (_, n) => `v${n}`),
});

describe('a condition', () => {
  const web = { type: 'host', value: 'web-01.example.com', name: 'web-01', zone: 'plant', tags: ['lab'] } as const;
  const asset = (more: Partial<AssetFacts> = {}): AssetFacts => ({
    ...web,
    aliases: [],
    identifiers: undefined,
    cloud: null,
    os: null,
    branches: [],
    tags: ['lab'],
    ...more,
  });
  const holds = (condition: Filter | string, of = asset()) => fits(condition, of);
  const leaf = (field: Leaf['field'], operator: Leaf['operator'], value?: string | string[], key?: string) =>
    ({ field, operator, value, ...(key && { key }) }) as Filter;
  const cloud = { provider: 'aws', accountId: '1234', region: null, resourceId: null, tags: { env: 'prod' } };
  const os = { family: 'linux', name: 'Ubuntu', version: '24.04' } as const;
  const ips = {
    hostnames: [],
    fqdns: [],
    macs: [],
    machineIds: [],
    cloudResourceId: null,
    agentId: null,
    serialNumber: null,
  };
  const addressed = { identifiers: { ...ips, imageDigest: null, ips: ['10.1.2.3', '2001:DB8::1'] } };

  test.each<[string, Filter | string, Partial<AssetFacts>, boolean]>([
    ['a type', leaf('type', 'in', ['host', 'url']), {}, true],
    ['a name whatever its letter case', leaf('hostname', 'equals', 'WEB-01.example.com'), {}, true],
    ['the beginning of a name', leaf('hostname', 'matches', 'web-*.example.com'), {}, true],
    ['a pattern with signs of regular expressions', leaf('hostname', 'matches', 'web.01*'), {}, false],
    [
      'the site of a web application',
      leaf('hostname', 'equals', 'shop.test'),
      { type: 'url', value: 'https://shop.test/a' },
      true,
    ],
    ['an address that is no name', leaf('hostname', 'exists'), { value: '10.0.0.1', name: '10.0.0.1' }, false],
    ['a block of addresses', leaf('ip', 'cidr', '10.1.0.0/16'), addressed, true],
    ['a block of v6', leaf('ip', 'cidr', '2001:db8::/32'), addressed, true],
    ['an address in another spelling', leaf('ip', 'equals', '2001:db8:0:0::1'), addressed, true],
    ['a tag whatever its letter case', leaf('tag', 'equals', 'Lab'), {}, true],
    ['a cloud tag', leaf('cloudTag', 'equals', 'prod', 'env'), { cloud }, true],
    ['the key of a cloud tag', leaf('cloudTag', 'exists', undefined, 'team'), { cloud }, false],
    ['a name that objects have', leaf('cloudTag', 'exists', undefined, 'constructor'), { cloud }, false],
    ['an account', leaf('cloudAccount', 'equals', '1234'), { cloud }, true],
    ['a zone', { not: leaf('zone', 'exists') }, { zone: null }, true],
    ['a system with its version', leaf('os', 'matches', 'ubuntu 24.*'), { os }, true],
    ['a branch', leaf('branch', 'equals', 'main'), { branches: ['main'] }, true],
    ['all of them', { all: [leaf('tag', 'equals', 'lab'), leaf('zone', 'equals', 'office')] }, {}, false],
    ['any of them', { any: [leaf('tag', 'equals', 'lab'), leaf('zone', 'equals', 'office')] }, {}, true],
    ['a text', 'type:host hostname:WEB-* zone:plant', {}, true],
    ['a text with a block', 'ip:10.1.0.0/16 -tag:lab', addressed, false],
    ['a text with a cloud tag', 'cloudTag:env=p* cloudTag:env', { cloud }, true],
  ])('names %s', async (_about, condition, more, expected) => {
    expect(AssetCondition.safeParse(condition).success).toBe(true);
    await assertCondition(condition);
    expect(holds(condition, asset(more))).toBe(expected);
  });

  const deep = (levels: number): object => (levels === 1 ? leaf('tag', 'exists') : { not: deep(levels - 1) });

  test.each<[string, unknown, string]>([
    ['nothing', {}, ''],
    [
      'two kinds at once',
      { all: [{ field: 'tag', operator: 'exists' }], not: { field: 'tag', operator: 'exists' } },
      'not',
    ],
    ['an unknown field', { any: [{ field: 'colour', operator: 'equals', value: 'red' }] }, 'any.0.field'],
    ['a field without an operator', { field: 'tag' }, 'operator'],
    ['a text for in', { not: { field: 'tag', operator: 'in', value: 'a' } }, 'not.value'],
    ['a value for exists', { all: [{ not: { field: 'tag', operator: 'exists', value: 'a' } }] }, 'all.0.not.value'],
    ['a block of names', { field: 'hostname', operator: 'cidr', value: '10.0.0.0/8' }, 'operator'],
    ['an unknown type', { not: { field: 'type', operator: 'equals', value: 'boat' } }, 'not.value'],
    ['the application, which follows from rules', { field: 'application', operator: 'equals', value: 'a' }, 'field'],
    ['who asks, who is nobody', { field: 'owner', operator: 'equals', value: 'me' }, 'value'],
    ['no block', { field: 'ip', operator: 'cidr', value: '10.0.0.0/33' }, 'value'],
    ['a cloud tag without its key', { field: 'cloudTag', operator: 'exists' }, 'key'],
    ['a key of a tag', { field: 'tag', key: 'env', operator: 'exists' }, 'key'],
    ['too many levels', deep(MAX_DEPTH + 1), 'not.not.not.not.not'],
    [
      'too many comparisons',
      { any: [{ all: Array.from({ length: MAX_LEAVES }, () => leaf('tag', 'exists')) }, leaf('tag', 'exists')] },
      'any.1',
    ],
    [
      'too many values in all its comparisons',
      { any: [...Array.from({ length: 2 }, () => listed(100)), listed(1)] },
      'any.2.value',
    ],
  ])('with %s says where', async (_about, condition, path) => {
    const { error, data } = AssetCondition.safeParse(condition);
    if (error) return expect(error.issues[0]?.path.join('.')).toBe(path);
    const refusal = await assertCondition(data).catch((reason: unknown) => reason);
    return expect(refusal instanceof ApiError && refusal.details).toMatchObject([{ path: `condition.${path}` }]);
  });

  test('of the deepest and longest form is taken', () => {
    expect(AssetCondition.safeParse(deep(MAX_DEPTH)).success).toBe(true);
    const longest = { any: Array.from({ length: MAX_LEAVES }, () => leaf('tag', 'exists')) };
    expect(AssetCondition.safeParse(longest).success).toBe(true);
    const fullest = { any: Array.from({ length: MAX_ALL_VALUES / 100 }, () => listed(100)) };
    expect(AssetCondition.safeParse(fullest).success).toBe(true);
  });

  /** The definition of and, or, not. */
  function naive({ all, any, not, ...own }: Filter, of: AssetFacts): boolean {
    if (all) return all.filter((part) => naive(part, of)).length === all.length;
    if (any) return any.filter((part) => naive(part, of)).length > 0;
    return not ? naive(not, of) === false : fits(own, of);
  }

  test('holds as its parts do', () => {
    fc.assert(
      fc.property(conditions, facts, (condition, of) => {
        expect(holds(condition, of)).toBe(naive(condition, of));
      }),
      { numRuns: 1000 },
    );
  });

  test('with in holds where equals holds for one of its values', () => {
    fc.assert(
      fc.property(leaves, facts, (one, of) => {
        fc.pre(one.operator === 'in');
        const each = [one.value ?? []].flat().map((value) => ({ ...one, operator: 'equals' as const, value }));
        expect(holds(one, of)).toBe(holds({ any: each }, of));
      }),
    );
  });
});

test('a pattern holds for each of the names of a host', () => {
  const names = hostNamesOf({
    type: 'host',
    value: 'A.test',
    name: 'b',
    aliases: [{ type: 'url', value: 'http://c/' }],
  });
  expect(names).toEqual(['a.test', 'c', 'b']);
});

test('the index never loses an asset that meets a condition, and says truly when it finds no others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(facts, fc.boolean()), { minLength: 1, maxLength: 25 }),
      fc.array(conditions, { minLength: 10, maxLength: 30 }),
      async (all, asked) => {
        const table = newOrganization(store.dynamo);
        const made = new Map<string, AssetFacts>();
        for (const [n, [of, retired]] of all.entries()) {
          const { branches: _branches, ...asset } = of;
          // no two assets have the same name
          const value = `${of.value} ${n}`;
          const names = [{ type: of.type, value: of.value }, ...(of.aliases ?? [])];
          const aliases = names.map((one, i) => ({ ...one, zone: `zone-${n}-${i}` }));
          const rest = { firstSeenAt: now() };
          const { id } = await table.create(assets, {
            ...asset,
            ...rest,
            value,
            aliases,
            retiredAt: retired ? now() : null,
          });
          if (!retired) made.set(id, { ...of, value, aliases });
        }
        for (const condition of asked) {
          const { within: marked, exact } = compile(condition);
          const ordinals = newestOf(await presentBits(table, marked));
          const found = new Set((await recordsAt(table, assets, ordinals)).map(({ id }) => id));
          const meant = [...made].filter(([, of]) => fits(condition, of)).map(([id]) => id);
          expect(meant.filter((id) => !found.has(id))).toEqual([]);
          if (exact) expect(found.size).toBe(meant.length);
        }
        await expectExact(table, [assets]);
      },
    ),
    { numRuns: runs(2, 12) },
  );
});

test('a condition converts to text and back without a change of what it means', () => {
  fc.assert(
    fc.property(conditions, facts, (condition, of) => {
      const { filter } = parseFilter(printFilter(condition, ruledFields), ruledFields);
      expect(fits(filter, of)).toBe(fits(condition, of));
    }),
    { numRuns: 500 },
  );
});
