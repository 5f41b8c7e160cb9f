import { expect, test } from 'vitest';
import { assetFor } from '#functions/workers/imports/asset-for.ts';
import { takeExtent } from '#functions/workers/imports/manifest.ts';
import type { ReportFacts } from '#shared/findings/closing/proven-gone.ts';
import type { Scan, ScanTarget } from '#shared/ingest/submission.ts';

const host = (value: string) => ({ asset: { type: 'host' as const, value } });
const lease = (type: 'host' | 'cidr', value: string): Scan => ({ source: 'scanner', target: { type, value } });

const SHOP = 'https://git.example.com/acme/shop';
const web = (value: string) => ({ asset: { type: 'url' as const, value } });
const code = (value: string) => ({ asset: { type: 'repository' as const, value } });
const imported = (type: ScanTarget['type'], value: string): Scan => ({ source: 'import', target: { type, value } });
const shop = imported('repository', SHOP);
const several: Scan = {
  source: 'apex',
  targets: ['web-1', 'web-2'].map((value) => ({ type: 'host', value })),
};

test.each<[string, Scan, Parameters<typeof assetFor>[1], string | undefined]>([
  ['a lease of one host keeps its findings on that host', lease('host', 'web-1'), host('10.9.9.9'), 'web-1'],
  ['an address within a leased range is an asset', lease('cidr', '10.0.0.0/24'), host('10.0.0.7'), '10.0.0.7'],
  ['an address outside of it is nobody', lease('cidr', '10.0.0.0/24'), host('10.0.1.7'), undefined],
  ['IPv6 ranges hold as well', lease('cidr', '2001:db8::/64'), host('2001:db8::7'), '2001:db8::7'],
  ['a name cannot be proven to lie in a range', lease('cidr', '10.0.0.0/24'), host('web-1'), undefined],
  ['a range without bits is one address', lease('cidr', '10.0.0.5'), host('10.0.0.5'), '10.0.0.5'],
  ['and no other address', lease('cidr', '10.0.0.5'), host('10.0.0.4'), undefined],
  ['an IPv6 range without bits is one address', lease('cidr', '2001:db8::5'), host('2001:db8::5'), '2001:db8::5'],
  ['and no other IPv6 address', lease('cidr', '2001:db8::5'), host('2001:db8::4'), undefined],
  ['an IPv6 address lies in no IPv4 range', lease('cidr', '10.0.0.0/24'), host('2001:db8::7'), undefined],
  [
    'a web address lies where its host does',
    lease('cidr', '10.0.0.0/24'),
    web('http://10.0.0.7/a'),
    'http://10.0.0.7/a',
  ],
  ['a web address outside of it is nobody', lease('cidr', '10.0.0.0/24'), web('http://10.0.1.7/a'), undefined],
  ['a web address that is none lies nowhere', lease('cidr', '10.0.0.0/24'), web('10.0.0.7 port 80'), undefined],
  ['an IPv6 web address too', lease('cidr', '2001:db8::/64'), web('http://[2001:db8::7]/a'), 'http://[2001:db8::7]/a'],
  [
    'a lease of a range has no place for a finding without one',
    lease('cidr', '10.0.0.0/24'),
    { asset: null },
    undefined,
  ],
  ['an import of a host keeps the host that its report names', imported('host', 'web-1'), host('web-2'), 'web-2'],
  ['and has the others on its target', imported('host', 'web-1'), { asset: null }, 'web-1'],
  ['an import of a repository is of that, however its report names it', shop, code('shop-mirror'), SHOP],
  ['an import of a repository has pages of its code host', shop, web('https://git.example.com'), SHOP],
  ['and keeps another site', shop, web('https://shop.example.com'), 'https://shop.example.com'],
  ['an import of a repository keeps the host that its report names', shop, host('web-2'), 'web-2'],
  ['an import of a host keeps the repository that its report names', imported('host', 'web-1'), code(SHOP), SHOP],
  ['an import of a range has its findings on no range', imported('cidr', '10.0.0.0/24'), { asset: null }, 'unnamed'],
  ['a lease of several targets keeps what lies on one', several, host('web-2'), 'web-2'],
  ['and nothing else', several, host('web-3'), undefined],
  ['nor what has no place', several, { asset: null }, undefined],
  ['an import trusts its report', { source: 'import' }, host('10.9.9.9'), '10.9.9.9'],
  ['an import that names nothing still has a place', { source: 'import' }, { asset: null }, 'unnamed'],
])('%s', (_name, scan, finding, value) => {
  expect(assetFor(scan, finding)?.value).toBe(value);
});

test('what a scan looked at is the sum of all parts of its report, up to as many ranges as an honest one names', () => {
  const covered: ReportFacts['covered'] = { reached: [], unreached: [] };
  const range = { protocol: 'tcp' as const, from: 1, to: 2 };
  takeExtent(covered, { ports: [range], scripts: true });
  takeExtent(covered, { ports: [range], scripts: false });
  expect(covered).toMatchObject({ ports: [range, range], scripts: true });
  takeExtent(covered, { ports: Array.from({ length: 65_536 }, () => range) });
  expect(covered.ports).toHaveLength(65_536);
});
