import { describe, expect, test } from 'vitest';
import { type DescribedFinding, listedAssetName, reportedFields } from '#shared/findings/finding/reported.ts';
import { fromAsset, stakesOf } from '#shared/findings/sla/rating.ts';

const told = (fields: Partial<DescribedFinding> = {}): DescribedFinding => ({
  title: 'SQL',
  severity: 'high',
  ruleId: 'sql',
  cves: [],
  cwes: [],
  tags: [],
  location: {},
  evidence: [],
  references: [],
  ...fields,
});
const fieldsOf = (fields: Partial<DescribedFinding>, scan: { commit?: string } = {}) =>
  reportedFields({ finding: told(fields), contentHash: 'h' }, scan, { epss: 0.5, kev: true });
const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);

describe('a row of a list has what fits, and the finding keeps the whole', () => {
  test.each([
    ['cves', 5],
    ['cwes', 3],
    ['tags', 4],
  ] as const)('%s: the first %d', (name, most) => {
    const whole = fieldsOf({ [name]: names(most) });
    expect([whole[name], whole.identifiers]).toEqual([names(most), undefined]);
    const cut = fieldsOf({ [name]: names(most + 1) });
    expect([cut[name], cut.identifiers]).toEqual([
      names(most),
      { cves: [], cwes: [], tags: [], [name]: names(most + 1) },
    ]);
  });

  test('texts: 200 bytes of a title, 160 of a place, 120 of a rule and of the name of an asset', () => {
    const long = 'x'.repeat(400);
    const { title, location, ruleId } = fieldsOf({ title: long, location: { path: long }, ruleId: long });
    expect([title, location, ruleId, listedAssetName(long)].map((text) => text.length)).toEqual([200, 160, 120, 120]);
    const [t, l, r] = [long.slice(0, 200), long.slice(0, 160), long.slice(0, 120)];
    expect(fieldsOf({ title: t, location: { path: l }, ruleId: r })).toMatchObject({
      title: t,
      location: l,
      ruleId: r,
    });
    expect(listedAssetName(r)).toBe(r);
  });
});

test.each([
  [{ path: 'src/a.ts', line: 3, url: 'https://a.example', host: 'a' }, 'src/a.ts:3'],
  [{ path: 'src/a.ts', host: 'a', port: 1 }, 'src/a.ts'],
  [{ url: 'https://a.example/x', host: 'a', port: 443 }, 'https://a.example/x'],
  [{ host: '10.0.0.7', port: 443, protocol: 'tcp' }, '10.0.0.7:443/tcp'],
  [{ host: '10.0.0.7', port: 0 }, '10.0.0.7:0'],
  [{ host: '10.0.0.7', protocol: 'icmp' }, '10.0.0.7'],
  [{ port: 22, protocol: 'tcp' }, ':22/tcp'],
  [{}, ''],
])('the place %o is printed as %s', (location, line) => {
  expect(fieldsOf({ location }).location).toBe(line);
});

test('a place has the commit that it names, else that of its scan', () => {
  expect(fieldsOf({ location: { path: 'a', commit: 'own' } }, { commit: 'scan' }).locationDetail.commit).toBe('own');
  expect(fieldsOf({ location: { path: 'a' } }, { commit: 'scan' }).locationDetail.commit).toBe('scan');
  expect(fieldsOf({ location: { path: 'a' } }).locationDetail.commit).toBeUndefined();
});

describe('what an asset adds to the danger of its findings', () => {
  test.each([
    [undefined, undefined],
    [{ criticality: 'medium', internetExposed: null }, undefined],
    [{ criticality: 'medium', internetExposed: false }, undefined],
    [{ criticality: 'medium', internetExposed: true }, { exposed: true }],
    [{ criticality: 'low', internetExposed: false }, { criticality: 'low' }],
    [
      { criticality: 'critical', internetExposed: true },
      { criticality: 'critical', exposed: true },
    ],
  ] as const)('of %o is %o', (asset, stakes) => {
    expect(stakesOf(asset)).toEqual(stakes);
  });

  test('its applications, tags and owner are those of the finding, where it has some', () => {
    const asset = { criticality: 'medium', internetExposed: null, tags: [] as string[] } as const;
    expect(fromAsset(undefined)).toEqual({ stakes: undefined, applicationIds: undefined });
    expect(fromAsset(asset)).toEqual({ stakes: undefined, applicationIds: undefined });
    const ruleLinks = [{ applicationId: 'app', ruleId: 'r', at: '2026-01-05T08:00:00.000Z' }];
    const tagged = { tags: ['Prod'], ruleTags: ['PROD', 'dmz'], ownerId: 'ann' };
    expect(fromAsset({ ...asset, ...tagged, criticality: 'high', ruleLinks })).toEqual({
      stakes: { criticality: 'high' },
      applicationIds: ['app'],
      assetTags: ['Prod', 'dmz'],
      assetOwnerId: 'ann',
    });
  });
});
