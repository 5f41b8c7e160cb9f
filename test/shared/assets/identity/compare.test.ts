import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Asset } from '#shared/assets/asset/asset.ts';
import { AssetIdentifiers } from '#shared/assets/asset/asset-facts.ts';
import { TRAIT_KINDS, traitsOf } from '#shared/assets/asset/asset-traits.ts';
import { compare, RULES } from '#shared/assets/identity/compare.ts';
import { survivorFirst } from '#shared/assets/identity/survivor.ts';

const [, rulesPart = '', examplesPart = ''] = readFileSync('docs/identity.md', 'utf8').split(/^## .*$/m);
const cellsOf = (part: string): string[][] =>
  part
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const FIELDS: Record<string, string> = {
  mac: 'macs',
  machineId: 'machineIds',
  fqdn: 'fqdns',
  hostname: 'hostnames',
  ip: 'ips',
};

type Described = Parameters<typeof compare>[0];

/** The asset of a text such as `mac 0a:1b:2c:3d:4e:5f, ip 10.0.0.7 in office`. */
function assetOf(text: string): Described {
  const identifiers: Record<string, unknown> = {};
  let zone: string | null = null;
  const [, repository] = /^repository (.*)$/.exec(text) ?? [];
  if (repository) return { type: 'repository', value: repository, zone };
  for (const part of text.split(', ')) {
    const [, kind = '', value = '', place] = /^(\w+) (.*?)(?: in (\w+))?$/.exec(part) ?? [];
    const field = FIELDS[kind];
    if (place) zone = place;
    identifiers[field ?? kind] = field ? [...((identifiers[field] as string[]) ?? []), value] : value;
  }
  return { type: 'cloud_resource', value: text, zone, identifiers: AssetIdentifiers.parse(identifiers) };
}

test.each(
  cellsOf(examplesPart).map(([name = '', one = '', other = '', outcome = '']) => ({ name, one, other, outcome })),
)('the example "$name" of docs/identity.md is $outcome, whichever asset comes first', ({ one, other, outcome }) => {
  expect(compare(assetOf(one), assetOf(other)).verdict).toBe(outcome);
  expect(compare(assetOf(other), assetOf(one)).verdict).toBe(outcome);
});

test('docs/identity.md has every kind of identifier in the order of the code, with what it proves', () => {
  const rows = cellsOf(rulesPart);
  expect(rows.map(([kind = '']) => /`(\w+)`/.exec(kind)?.[1])).toEqual([...TRAIT_KINDS]);
  for (const [n, kind] of TRAIT_KINDS.entries()) {
    const [, same = '', unless = '', different = ''] = rows[n] ?? [];
    const { proves, with: beside, unless: doubts = [], forbids } = RULES[kind];
    expect(same).toBe(beside ? `same if an address is the same too, otherwise ${proves}` : proves);
    for (const doubt of doubts) expect(unless).toContain(`\`${doubt}\``);
    expect(/^two (machines|repositories)/.test(different)).toBe(forbids);
  }
});

test('assets of other types, and two with an agent each, are different whatever they share', () => {
  const one = assetOf('serialNumber 5CG8431XYZ');
  expect(compare(one, { ...one, type: 'repository' }).verdict).toBe('different');
  expect(compare({ ...one, agentId: 'a' }, { ...one, agentId: 'b' }).verdict).toBe('different');
  expect(compare({ ...one, agentId: 'a' }, one).verdict).toBe('same');
});

const values = fc.record({
  cloudResourceId: fc.option(fc.constantFrom('i-0a1b2c3d4e5f60718', 'i-0ffffffffffff0000')),
  serialNumber: fc.option(fc.constantFrom('5CG8431XYZ', 'None')),
  macs: fc.subarray(['0a:1b:2c:3d:4e:5f', '02:42:ac:11:00:02']),
  hostnames: fc.subarray(['web-01', 'localhost']),
  fqdns: fc.subarray(['web-01.example.com']),
  ips: fc.subarray(['10.0.0.7', '127.0.0.1']),
});
const described = fc
  .record({
    identifiers: values,
    zone: fc.constantFrom(null, 'office'),
    createdAt: fc.constantFrom('2026-01-01', '2026-01-02'),
    id: fc.uuid(),
  })
  .map(({ identifiers, ...one }) => ({
    ...one,
    type: 'host' as const,
    value: 'some',
    identifiers: AssetIdentifiers.parse(identifiers),
  }));

test('comparing is the same both ways, and an asset is never different from itself if it has an identifier that proves something', () => {
  fc.assert(
    fc.property(described, described, (one, other) => {
      expect(compare(one, other).verdict).toBe(compare(other, one).verdict);
      const { verdict, by } = compare(one, one);
      if (by && by !== 'hostname') expect(verdict).not.toBe('different');
      expect(survivorFirst(one, other)[0].id).toBe(survivorFirst(other, one)[0].id);
    }),
  );
});

test('an asset is known by its own name and its aliases, each in its zone', () => {
  const asset: Pick<Asset, 'type' | 'value' | 'zone' | 'aliases'> = {
    type: 'host',
    value: 'web-01.example.com',
    zone: 'office',
    aliases: [
      { type: 'host', value: '10.0.0.7', zone: null },
      { type: 'host', value: '2001:DB8::0:7', zone: 'plant' },
    ],
  };
  expect(traitsOf(asset)).toMatchObject({
    fqdn: ['web-01.example.com in office'],
    hostname: ['web-01 in office'],
    ip: ['10.0.0.7', '2001:db8::7 in plant'],
  });
});
