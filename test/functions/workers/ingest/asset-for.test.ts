import { expect, test } from 'vitest';
import { assetFor, provenGone, type ReportFacts, takeExtent } from '#functions/workers/ingest/asset-for.ts';
import type { Scan, ScanTarget } from '#shared/ingest/submission.ts';
import { formatOf } from '#shared/reports/formats/formats.ts';

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

const facts = (reached: string[], unreached: string[] = [], incomplete = false): ReportFacts => ({
  covered: { reached, unreached, ports: [{ protocol: 'tcp', from: 1, to: 1000 }] },
  incomplete,
  tools: ['nmap'],
});

const missing = { asset: { name: 'web-1' }, location: 'web-1:443/tcp', ruleId: 'open-port' };

test.each<[string, Scan & { format: string }, ReportFacts, boolean]>([
  ['a scan of a host that answered', { ...lease('host', 'web-1'), format: 'nmap' }, facts(['web-1']), true],
  ['a host whose report names its address', { ...lease('host', 'web-1'), format: 'nmap' }, facts(['10.0.0.5']), true],
  ['a host that was down', { ...lease('host', 'web-1'), format: 'nmap' }, facts([], ['web-1']), false],
  ['an Nmap report that names no host', { ...lease('host', 'web-1'), format: 'nmap' }, facts([]), false],
  ['a format that names no targets', { ...lease('host', 'web-1'), format: 'nuclei' }, facts([]), true],
  ['a tool that did not finish', { ...lease('host', 'web-1'), format: 'nuclei' }, facts([], [], true), false],
  [
    'a scanner that reached something else',
    { ...lease('host', 'web-1'), format: 'nuclei', targetsReached: ['web-2'] },
    facts([]),
    false,
  ],
  ['a range whose report names the host', { ...lease('cidr', '10.0.0.0/24'), format: 'nmap' }, facts(['web-1']), true],
  ['a host that went down', { ...lease('cidr', '10.0.0.0/24'), format: 'nmap' }, facts(['web-1'], ['web-1']), false],
  ['a range in a format without targets', { ...lease('cidr', '10.0.0.0/24'), format: 'nuclei' }, facts([]), true],
  [
    'a host of a range that was down',
    { ...lease('cidr', '10.0.0.0/24'), format: 'nuclei' },
    facts([], ['web-1']),
    false,
  ],
  [
    'a range of which the scanner reached another host',
    { ...lease('cidr', '10.0.0.0/24'), format: 'nuclei', targetsReached: ['10.0.0.5'] },
    facts([]),
    false,
  ],
  ['another host of the range', { ...lease('cidr', '10.0.0.0/24'), format: 'nmap' }, facts(['10.0.0.5']), false],
])('%s proves that a finding of web-1 is gone: only if it was looked at', async (_name, scan, report, proves) => {
  expect(provenGone({ scan, format: await formatOf(scan.format) }, report)?.(missing) ?? false).toBe(proves);
});

const failing = (value: string) => ({ targetsFailed: [{ value, reason: 'down' }] });
const renamed = { ...missing, asset: { name: 'web-1', aliases: ['10.0.0.5', '10.0.0.6'] } };

test.each<[string, Partial<Scan>, ReportFacts, boolean]>([
  ['the report reached another of its names', {}, facts(['10.0.0.6']), true],
  ['the report reached none of its names', {}, facts(['10.0.0.7']), false],
  ['the report says that this name was down', {}, facts(['10.0.0.6'], ['10.0.0.6']), false],
  ['the scanner reached that name too', { targetsReached: ['10.0.0.6'] }, facts(['10.0.0.6']), true],
  ['the scanner did not reach that name', { targetsReached: ['10.0.0.7'] }, facts(['10.0.0.6']), false],
  ['the scanner reached the whole range', { targetsReached: ['10.0.0.0/24'] }, facts(['10.0.0.6']), true],
  ['the scanner failed on that name', failing('10.0.0.6'), facts(['10.0.0.6']), false],
  ['the scanner failed on the whole range', failing('10.0.0.0/24'), facts(['10.0.0.6']), false],
  ['the scan was cancelled', { outcome: 'cancelled' }, facts(['10.0.0.6']), false],
])('a finding of a host with several names is gone: %s', async (_name, more, report, proves) => {
  const scan = { ...lease('cidr', '10.0.0.0/24'), ...more };
  expect(provenGone({ scan, format: await formatOf('nmap') }, report)?.(renamed) ?? false).toBe(proves);
});

test('another name proves nothing where the report names no targets, unless the scanner says that it reached it', async () => {
  const proves = async (more: Partial<Scan>) => {
    const scan = { ...lease('cidr', '10.0.0.0/24'), targetsFailed: [{ value: 'web-1', reason: 'down' }], ...more };
    return provenGone({ scan, format: await formatOf('nuclei') }, facts([]))?.(renamed) ?? false;
  };
  expect([await proves({}), await proves({ targetsReached: ['10.0.0.6'] })]).toEqual([false, true]);
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
