import { describe, expect, test } from 'vitest';
import type { Asset } from '#shared/assets/asset/asset.ts';
import { AssetIdentifiers } from '#shared/assets/asset/asset-facts.ts';
import { obstacleTo } from '#shared/exposure/asset-actions/merge.ts';
import { identifiersWithout, unionOf, withoutChange } from '#shared/exposure/asset-actions/union.ts';

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}`;
const time = (n: number) => `${day(n)}T08:00:00.000Z`;
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);

const asset = (value: string, fields: Partial<Asset> = {}): Asset =>
  ({
    id: value,
    version: 1,
    createdAt: time(1),
    updatedAt: time(1),
    type: 'host',
    value,
    name: value,
    zone: null,
    criticality: 'medium',
    internetExposed: null,
    tags: [],
    firstSeenAt: time(5),
    ...fields,
  }) as Asset;
const host = (value: string) => ({ type: 'host', value, zone: null }) as const;
const link = (applicationId: string, note = '') => ({ applicationId, note, origin: 'manual', at: time(1) }) as never;

describe('an asset that takes another in', () => {
  test('has all names of both, its own first', () => {
    const [one, two] = [asset('one', { aliases: [host('first')] }), asset('two', { aliases: [host('second')] })];
    expect(unionOf(two, one).aliases).toEqual([host('first'), host('two'), host('second')]);
  });

  test('keeps what people said of it, and takes what only the other has', () => {
    const os = (name: string) => ({ family: 'linux', name, version: null }) as never;
    const place = (provider: string) => ({ provider }) as never;
    const own = { internetExposed: false, ownerId: 'ann', cloud: place('aws'), agentId: 'agent-1', os: os('Debian') };
    const other = { internetExposed: true, ownerId: 'bea', cloud: place('gcp'), agentId: 'agent-2', os: os('Alpine') };
    expect(unionOf(asset('two', other), asset('one', own))).toMatchObject(own);
    expect(unionOf(asset('two', other), asset('one'))).toMatchObject(other);
  });

  test('was seen first when either was, and last when either was, as far as anyone noted it', () => {
    const seen = (first: Partial<Asset>, second: Partial<Asset>) => {
      const { firstSeenAt, lastSeenAt } = unionOf(asset('two', second), asset('one', first));
      return [firstSeenAt, lastSeenAt];
    };
    const [early, late] = [
      { firstSeenAt: time(2), lastSeenAt: time(8) },
      { firstSeenAt: time(4), lastSeenAt: time(6) },
    ];
    expect(seen(early, late)).toEqual([time(2), time(8)]);
    expect(seen(late, early)).toEqual([time(2), time(8)]);
    expect(seen({ firstSeenAt: time(7) }, late)).toEqual([time(4), time(7)]);
  });

  test('has the tags of both, each once and 50 at most, and the tools of both', () => {
    const tags = (first: string[], second: string[]) =>
      unionOf(asset('two', { tags: second, sources: ['zap'] }), asset('one', { tags: first, sources: ['nmap'] }));
    expect(tags(['a', 'b'], ['b', 'c'])).toMatchObject({ tags: ['a', 'b', 'c'], sources: ['nmap', 'zap'] });
    expect(tags(numbered('a', 49), ['x', 'y']).tags).toEqual([...numbered('a', 49), 'x']);
  });

  test('keeps its own link to an application, gets those of the other, 20 at most, and none is none', () => {
    const links = (first: string[], second: string[]) =>
      unionOf(
        asset('two', { links: second.map((id) => link(id, 'other')) }),
        asset('one', { links: first.map((id) => link(id, 'own')) }),
      ).links?.map(({ applicationId, note }) => `${applicationId} ${note}`);
    expect(links(['a'], ['a', 'b'])).toEqual(['a own', 'b other']);
    expect(links(numbered('a', 20), ['b'])).toHaveLength(20);
    expect(links(['a'], [])).toEqual(['a own']);
    for (const field of ['links', 'exclusions']) expect(unionOf(asset('two'), asset('one'))).not.toHaveProperty(field);
  });

  test('has the newest look of each tool, 20 at most', () => {
    const look = (tool: string, n: number) => ({ tool, day: day(n), taskId: 't' });
    const looks = (first: Asset['looks'], second: Asset['looks']) =>
      unionOf(asset('two', { looks: second }), asset('one', { looks: first })).looks;
    expect(looks([look('nmap', 3), look('zap', 9)], [look('nmap', 7)])).toEqual([look('zap', 9), look('nmap', 7)]);
    expect(looks([look('nmap', 7)], [look('nmap', 3)])).toEqual([look('nmap', 7)]);
    expect(looks(undefined, [look('nmap', 3)])).toEqual([look('nmap', 3)]);
    expect(looks([look('nmap', 3)], undefined)).toEqual([look('nmap', 3)]);
    const many = numbered('tool', 21).map((tool, n) => look(tool, n + 1));
    expect(looks(many.slice(0, 11), many.slice(11))).toEqual(many.slice(1).toReversed());
    expect(unionOf(asset('two'), asset('one'))).not.toHaveProperty('looks');
  });

  test('has the identifiers of both, its own where there can be only one, and names and addresses of its own zone', () => {
    const names = (tag: string) => ({ ips: [tag], macs: [tag], hostnames: [tag], fqdns: [tag], machineIds: [tag] });
    const single = (tag: string) => ({ cloudResourceId: tag, agentId: tag, serialNumber: tag, imageDigest: tag });
    const union = (own: object | undefined, other: object | undefined, zone: string | null = null) =>
      unionOf(asset('two', { zone, identifiers: other as never }), asset('one', { identifiers: own as never }))
        .identifiers;
    const [a, b] = [
      { ...names('a'), ...single('a') },
      { ...names('b'), ...single('b') },
    ];
    const all = { ips: ['a', 'b'], macs: ['a', 'b'], hostnames: ['a', 'b'], fqdns: ['a', 'b'], machineIds: ['a', 'b'] };
    expect(union(a, b)).toEqual({ ...all, ...single('a') });
    expect(union(a, b, 'plant')).toEqual({ ...all, ips: ['a'], hostnames: ['a'], fqdns: ['a'], ...single('a') });
    expect(union(undefined, b)).toEqual(b);
    expect(union(a, undefined)).toEqual(a);
    expect(union({ ...a, macs: numbered('m', 19) }, { macs: ['x', 'y'] })?.macs).toEqual([...numbered('m', 19), 'x']);
    expect(unionOf(asset('two'), asset('one'))).not.toHaveProperty('identifiers');
  });
});

describe('two assets that are parted again', () => {
  test('get back what nobody changed since', () => {
    expect(withoutChange('b', { from: 'a', to: 'b' })).toBe('a');
    expect(withoutChange('c', { from: 'a', to: 'b' })).toBe('c');
    expect(withoutChange(undefined, { from: 'a', to: null })).toBe('a');
    expect(withoutChange(['a', 'b'], { from: ['a'], to: ['a', 'b'] })).toEqual(['a']);
  });

  test('lose from a list what came with the merge, and keep what was there before and what came since', () => {
    const change = { from: ['a', 'b'], to: ['a', 'b', 'c'] };
    expect(withoutChange(['b', 'c', 'd'], change)).toEqual(['b', 'd']);
    expect(withoutChange(['c', 'd'], { from: null, to: ['c'] })).toEqual(['d']);
    expect(withoutChange(['c', 'd'], { from: null, to: 'c' })).toEqual(['c', 'd']);
    expect(withoutChange('d', { from: null, to: ['c'] })).toBe('d');
    const [x, y] = [{ tool: 'x' }, { tool: 'y' }];
    expect(withoutChange([{ ...x }, { ...y }, { tool: 'z' }], { from: [x], to: [x, y] })).toEqual([x, { tool: 'z' }]);
  });

  test('lose each identifier that came with the merge, and keep others', () => {
    const of = (fields: object) => AssetIdentifiers.parse(fields);
    const change = { from: of({ ips: ['1'] }), to: of({ ips: ['1', '2'], serialNumber: 's', agentId: 'e' }) };
    expect(identifiersWithout(change.to, change)).toBe(change.from);
    expect(identifiersWithout(undefined, { from: change.from, to: null })).toBe(change.from);
    expect(identifiersWithout(of({ ips: ['1', '2', '3'], serialNumber: 's', agentId: 'new' }), change)).toEqual(
      of({ ips: ['1', '3'], agentId: 'new' }),
    );
    expect(identifiersWithout(of({ ips: ['2', '3'] }), { from: null, to: of({ ips: ['2'] }) })).toEqual(
      of({ ips: ['3'] }),
    );
  });
});

describe('two assets are not merged', () => {
  const aliases = (count: number) => numbered('alias', count).map(host);

  test('where one is retired', () => {
    const retired = asset('gone', { retiredAt: time(9) });
    expect(obstacleTo(retired, asset('one'))).toMatch('The asset gone is retired');
    expect(obstacleTo(asset('one'), retired)).toMatch('The asset gone is retired');
    expect(obstacleTo(asset('one'), asset('two', { retiredAt: null }))).toBeUndefined();
  });

  test('where each has an agent', () => {
    const [one, two] = [asset('one', { agentId: 'a' }), asset('two', { agentId: 'b' })];
    expect(obstacleTo(one, two)).toMatch('The agents a and b report on the two assets');
    expect(obstacleTo(one, asset('two'))).toBeUndefined();
    expect(obstacleTo(asset('one', { agentId: null }), two)).toBeUndefined();
  });

  test('where they would have more than 50 other names', () => {
    const [one, two] = [asset('one', { aliases: aliases(24) }), asset('two', { aliases: aliases(25) })];
    expect(obstacleTo(one, two)).toBeUndefined();
    expect(obstacleTo(two, two)).toBe('The assets have 51 other names, and one has at most 50.');
    expect(obstacleTo(asset('one'), asset('two', { aliases: aliases(50) }))).toMatch('51 other names');
    expect(obstacleTo(asset('one', { aliases: aliases(50) }), asset('two'))).toMatch('51 other names');
  });
});
