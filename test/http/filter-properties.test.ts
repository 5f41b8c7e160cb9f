import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import type { Filter, Leaf } from '#shared/platform/filter/filter.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { runs } from '../support/tier.ts';

const system = startSystem();
let organization: TestOrganization;
beforeAll(async () => {
  organization = await system.newOrganization();
});

type Asked = readonly [comparison: Leaf, holds: (finding: StoredFinding) => boolean];

const has = (texts: readonly string[] | undefined, wanted: string): boolean =>
  (texts ?? []).some((text) => text.toLowerCase() === wanted);
const isLeft = ({ status }: StoredFinding): boolean => status === 'open' || status === 'in_progress';
const hundredths = ({ epss = 0 }: StoredFinding): number => Math.floor(epss * 100 + 1e-9);

const asked: readonly Asked[] = [
  [
    { field: 'severity', operator: 'in', value: ['critical', 'HIGH'] },
    ({ severity }) => /critical|high/.test(severity),
  ],
  [{ field: 'status', operator: 'equals', value: 'open' }, ({ status }) => status === 'open'],
  [{ field: 'status', operator: 'in', value: ['fixed', 'false_positive'] }, (one) => !isLeft(one)],
  [{ field: 'tool', operator: 'equals', value: 'TRIVY' }, ({ tool }) => tool === 'Trivy'],
  [{ field: 'tag', operator: 'equals', value: 'pRod' }, ({ tags }) => has(tags, 'prod')],
  [{ field: 'tag', operator: 'in', value: ['PCI', 'none such'] }, ({ tags }) => has(tags, 'pci')],
  [{ field: 'asset.tag', operator: 'equals', value: 'DMZ' }, ({ assetTags }) => has(assetTags, 'dmz')],
  [{ field: 'asset.tag', operator: 'exists' }, ({ assetTags }) => assetTags !== undefined],
  [{ field: 'asset.owner', operator: 'in', value: ['ann', 'none'] }, ({ assetOwnerId: id = 'ann' }) => id === 'ann'],
  [{ field: 'asset.owner', operator: 'equals', value: 'none' }, ({ assetOwnerId: id }) => id === undefined],
  [
    { field: 'asset.criticality', operator: 'in', value: ['medium', 'critical'] },
    ({ stakes }) => stakes?.criticality !== 'low',
  ],
  [{ field: 'asset.exposed', operator: 'equals', value: 'false' }, ({ stakes }) => !stakes?.exposed],
  [{ field: 'kev', operator: 'equals', value: 'true' }, ({ kev }) => kev === true],
  [{ field: 'epss', operator: 'over', value: '0.2' }, (one) => isLeft(one) && hundredths(one) > 20],
  [
    { field: 'epss', operator: 'within', value: '0.1..0.2' },
    (one) => isLeft(one) && /^1\d$|^20$/.test(`${hundredths(one)}`),
  ],
  [{ field: 'branch', operator: 'exists' }, ({ ref }) => ref !== undefined],
  [{ field: 'due', operator: 'before', value: '2026-06' }, (one) => isLeft(one) && (one.dueAt ?? '~') < '2026-06'],
  [{ field: 'due', operator: 'exists' }, (one) => isLeft(one) && one.dueAt !== undefined],
  [{ field: 'text', operator: 'matches', value: 'lo' }, ({ title }) => title.includes('log4j')],
  [{ field: 'text', operator: 'equals', value: 'weak log4j' }, ({ title }) => title === 'weak log4j'],
];

const drafts = fc.record({
  title: fc.constantFrom('weak log4j', 'log4j', 'openssl'),
  severity: fc.constantFrom('critical', 'high', 'low'),
  status: fc.constantFrom('open', 'open', 'in_progress', 'fixed', 'false_positive'),
  tool: fc.constantFrom('Trivy', 'semgrep'),
  tags: fc.subarray(['prod', 'PCI', 'x']),
  assetTags: fc.constantFrom(undefined, ['Dmz'], ['dmz', 'PROD'], ['other']),
  assetOwnerId: fc.constantFrom(undefined, 'ann', 'bob'),
  stakes: fc.constantFrom(undefined, { criticality: 'critical' }, { criticality: 'low', exposed: true }),
  kev: fc.constantFrom(undefined, true),
  epss: fc.constantFrom(undefined, 0.1, 0.2, 0.21, 0.9),
  ref: fc.constantFrom(undefined, 'main'),
  dueAt: fc.constantFrom(undefined, '2026-05-31T23:00:00.000Z', '2026-06-01T01:00:00.000Z'),
});

type Node = { filter: Filter; holds: (finding: StoredFinding) => boolean };
const leaf: fc.Arbitrary<Node> = fc.constantFrom(...asked).map(([filter, holds]) => ({ filter, holds }));
const joined = (name: 'all' | 'any', parts: readonly Node[]): Node => ({
  filter: { [name]: parts.map(({ filter }) => filter) },
  holds: (one) => (name === 'all' ? parts.every(({ holds }) => holds(one)) : parts.some(({ holds }) => holds(one))),
});
const group = (inner: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.oneof(
    inner,
    fc
      .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(inner, { minLength: 1, maxLength: 3 }))
      .map(([name, parts]) => joined(name, parts)),
    inner.map(({ filter, holds }): Node => ({ filter: { not: filter }, holds: (one) => !holds(one) })),
  );
const filters = group(group(group(leaf)));

test('a list has exactly the records that fit, the count is its length, and text and JSON mean the same', async () => {
  const made: StoredFinding[] = [];
  for (const draft of fc.sample(drafts, { numRuns: 40, seed: 7 }))
    made.unshift(await organization.table.create(findings, findingDraft(now(), draft as Partial<StoredFinding>)));
  const { admin } = organization;
  const idsOf = async (filter: string, more: object = {}) => {
    const page = { paginateFrom: 0, paginateSize: 100, ...more };
    const { data, totalCount } = await admin.ok('listFindings', { query: { filter, ...page } as never });
    return { ids: data.map(({ id }) => id), totalCount };
  };
  await fc.assert(
    fc.asyncProperty(filters, fc.nat(20), async ({ filter, holds }, paginateFrom) => {
      const ids = made.filter(holds).map(({ id }) => id);
      expect(await idsOf(JSON.stringify(filter))).toEqual({ ids, totalCount: ids.length });
      const { text, count } = await admin.ok('checkFilter', { body: { entity: 'finding', filter } as never });
      expect(count).toBe(ids.length);
      const part = ids.slice(paginateFrom, paginateFrom + 5);
      expect(await idsOf(text, { paginateFrom, paginateSize: 5 })).toEqual({ ids: part, totalCount: ids.length });
    }),
    { numRuns: runs(40, 400) },
  );
});

describe('a hostile filter is refused with its place, or answered, and never breaks the service', () => {
  const nested = (levels: number, inner: unknown = { field: 'kev', operator: 'equals', value: 'true' }): unknown => {
    let filter = inner;
    for (let n = 0; n < levels; n++) filter = { not: filter };
    return filter;
  };
  test.each<[string, unknown, RegExp]>([
    ['parentheses', `${'('.repeat(900)}kev:true${')'.repeat(900)}`, /^column 2\d: more than 20 groups/],
    ['negations', `${'-'.repeat(1_900)}kev:true`, /^column 2\d: more than 20 groups/],
    ['levels', `${'-('.repeat(8)}kev:true${')'.repeat(8)}`, /nested more than 5 levels/],
    ['JSON levels', nested(6), /nested more than 5 levels/],
    ['comparisons', Array.from({ length: 51 }, () => 'kev:true').join(' '), /more than 50 comparisons/],
    ['values', `tool:${Array.from({ length: 201 }, (_, n) => n).join()}`, /more than 200 values/],
    ['length', 'a'.repeat(2_001), /2000/],
    ['an open quotation mark', `kev:true "${'\\"'.repeat(900)}`, /^column 10: the quotation mark is not closed/],
    ['an open group behind wide characters', '"😀" (', /^column 7: a comparison or a word is missing/],
    ['a wildcard', `tag:${'*a'.repeat(900)}`, /no index answers/],
    ['a blank', ' ', /./],
    ['a member of the prototype', 'constructor:x', /^column 1: constructor is no field/],
    ['another member', { field: 'constructor', operator: 'equals', value: 'x' }, /constructor is no field/],
  ])('%s', async (_name, filter, problem) => {
    const answer = await organization.admin.call('checkFilter', { body: { entity: 'finding', filter } as never });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const { details = [] } = answer.body as { details?: { message: string }[] };
    expect(details.map(({ message }) => message).join()).toMatch(problem);
  });

  test.each([
    ['names that grow without letter case', `tag:${'ẞ'.repeat(250)} asset.tag:${'İ'.repeat(250)}`],
    ['a field in another alphabet', 'ѕeverity:high'],
    ['half of a character', 'tag:\ud800 "\udc00x"'],
    ['control characters', 'tag:"\u0000\u001f" weak'],
    ['marks on a letter', `we${'\u0301'.repeat(1_500)}`],
    ['alternatives', Array.from({ length: 25 }, (_, n) => `(tag:${n} OR -tool:t${n})`).join(' ')],
  ])('%s', async (_name, filter) => {
    const answer = await organization.admin.call('listFindings', { query: { filter } });
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) expect(answer.body).toMatchObject({ code: 'validation_failed' });
  });

  test.each([100, 100_000])('%i levels of JSON', async (levels) => {
    const body = `{"entity":"finding","filter":${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}}`;
    const answer = await organization.admin.send('POST', '/api/v1/filters/check', { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: expect.stringMatching(/^(validation_failed|invalid_json)$/) },
    });
  });
});
