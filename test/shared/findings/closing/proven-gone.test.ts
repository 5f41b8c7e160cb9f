import { expect, test } from 'vitest';
import { type MissingOnAsset, notProvenGone, type ReportFacts } from '#shared/findings/closing/proven-gone.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import { formatOf } from '#shared/reports/formats/formats.ts';

const lease = (type: 'host' | 'cidr', value: string): Scan => ({ source: 'scanner', target: { type, value } });

type Looked = { scan: Scan; format: string; report: ReportFacts };

async function isGone({ scan, format, report }: Looked, missing: MissingOnAsset): Promise<boolean> {
  return notProvenGone({ scan, format: await formatOf(format), facts: report })(missing) === undefined;
}

const facts = (reached: string[], unreached: string[] = [], incomplete = false): ReportFacts => ({
  covered: { reached, unreached, ports: [{ protocol: 'tcp', from: 1, to: 1000 }] },
  incomplete,
  tools: ['nmap'],
});

const missing: MissingOnAsset = {
  asset: { type: 'host', name: 'web-1' },
  location: 'web-1:443/tcp',
  ruleId: 'open-port',
};

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
  expect(await isGone({ scan, format: scan.format, report }, missing)).toBe(proves);
});

const failing = (value: string) => ({ targetsFailed: [{ value, reason: 'down' }] });
const renamed: MissingOnAsset = {
  ...missing,
  asset: { ...missing.asset, aliases: ['10.0.0.5', '10.0.0.6'] },
};

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
  expect(await isGone({ scan, format: 'nmap', report }, renamed)).toBe(proves);
});

test('another name proves nothing where the report names no targets, unless the scanner says that it reached it', async () => {
  const proves = async (more: Partial<Scan>) => {
    const scan = { ...lease('cidr', '10.0.0.0/24'), targetsFailed: [{ value: 'web-1', reason: 'down' }], ...more };
    return isGone({ scan, format: 'nuclei', report: facts([]) }, renamed);
  };
  expect([await proves({}), await proves({ targetsReached: ['10.0.0.6'] })]).toEqual([false, true]);
});

const image = (name: string): MissingOnAsset => ({ ...missing, asset: { type: 'container_image', name } });
const named = (...names: string[]): ReportFacts => ({ ...facts([]), named: names });
const imported = (type: 'repository' | 'domain' | 'cidr' | 'url', value: string): Scan => ({
  source: 'import',
  target: { type, value },
});

test.each<[string, Scan, ReportFacts, MissingOnAsset, boolean]>([
  ['an image that the report names', imported('repository', 'x/shop'), named('shop/web'), image('shop/web'), true],
  ['another image of the repository', imported('repository', 'x/shop'), named('shop/web'), image('shop/api'), false],
  ['an image, by a report that names nothing', imported('repository', 'x/shop'), named(), image('shop/api'), false],
  [
    'a host in the domain',
    imported('domain', 'example.com'),
    named(),
    { ...missing, asset: { type: 'host', name: 'a.example.com' } },
    true,
  ],
  ['the host of the page', imported('url', 'https://web-1/shop'), named(), missing, true],
  [
    'an address in the range',
    imported('cidr', '10.0.0.0/24'),
    named(),
    { ...missing, asset: { type: 'host', name: '10.0.0.9' } },
    true,
  ],
  [
    'an address beside the range',
    imported('cidr', '10.0.0.0/24'),
    named(),
    { ...missing, asset: { type: 'host', name: '10.0.1.9' } },
    false,
  ],
  ['an image, in a report of an older release', imported('repository', 'x/shop'), facts([]), image('shop/api'), true],
])('an import proves a finding gone on %s: %#', async (_name, scan, report, of, proves) => {
  expect(await isGone({ scan, format: 'trivy', report }, of)).toBe(proves);
});
