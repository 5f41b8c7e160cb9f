import { expect, test } from 'vitest';
import { assetFor, provenGone, type ReportFacts } from '#functions/workers/ingest/coverage.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import { formatOf } from '#shared/reports/formats.ts';

const host = (value: string) => ({ asset: { type: 'host' as const, value } });
const lease = (type: 'host' | 'cidr', value: string): Scan => ({ source: 'scanner', target: { type, value } });

test.each<[string, Scan, ReturnType<typeof host> | { asset: null }, string | undefined]>([
  ['a lease of one host keeps its findings on that host', lease('host', 'web-1'), host('10.9.9.9'), 'web-1'],
  ['an address within a leased range is an asset', lease('cidr', '10.0.0.0/24'), host('10.0.0.7'), '10.0.0.7'],
  ['an address outside of it is nobody', lease('cidr', '10.0.0.0/24'), host('10.0.1.7'), undefined],
  ['IPv6 ranges hold as well', lease('cidr', '2001:db8::/64'), host('2001:db8::7'), '2001:db8::7'],
  ['a name cannot be proven to lie in a range', lease('cidr', '10.0.0.0/24'), host('web-1'), undefined],
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
