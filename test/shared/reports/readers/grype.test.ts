import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const report = JSON.parse(fixture('grype/image.json').toString());
const read = async (change: (match: typeof report.matches) => void) => {
  const { matches, ...rest } = structuredClone(report);
  change(matches);
  return findingsOf(await eventsOf('grype', JSON.stringify({ matches, ...rest })));
};

test('a match keeps its advisory, its package with the fix, its score and its places in the image', async () => {
  const [first, second, ...others] = await read(() => undefined);
  expect(first).toEqual({
    title: 'GHSA-aaaa-bbbb-cccc in quickform 2.1.0',
    description: 'The session cookie of quickform can be forged.',
    severity: 'high',
    toolSeverity: 'High',
    ruleId: 'GHSA-aaaa-bbbb-cccc',
    cves: ['CVE-2023-10001'],
    cwes: ['CWE-347'],
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    cvssScore: 7.5,
    asset: { type: 'container_image', value: 'registry.example.test/shop:1.2' },
    location: { path: '/usr/lib/python3/site-packages/quickform/METADATA' },
    otherLocations: [{ path: '/usr/lib/python3/site-packages/quickform/RECORD' }],
    component: { name: 'quickform', version: '2.1.0', purl: 'pkg:pypi/quickform@2.1.0', fixedVersions: ['2.1.4'] },
    evidence: [{ kind: 'text', content: 'exact-direct-match by python-matcher: <2.1.4 (python)' }],
    references: ['https://github.com/advisories/GHSA-aaaa-bbbb-cccc', 'https://example.test/advisory'],
    remediation: 'Update quickform to 2.1.4.',
    tags: ['CVE-2023-10001'],
    identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', '/usr/lib/python3/site-packages/quickform/METADATA'],
  });
  expect(second).toMatchObject({
    severity: 'info',
    toolSeverity: 'Negligible',
    remediation: 'The distributor will not fix it in this release.',
  });
  expect(others).toEqual([]);
});

test('an update to another vulnerable version is the same finding', async () => {
  const [before] = await read(() => undefined);
  const [after] = await read(([match]) => Object.assign(match.artifact, { version: '2.1.3' }));
  expect(after?.identity).toEqual(before?.identity);
});

test('a word that Grype has for no rating leaves the severity to the score', async () => {
  const [rated, unrated] = await read((matches) => {
    for (const match of matches) match.vulnerability.severity = 'Unknown';
  });
  expect([rated?.severity, unrated?.severity]).toEqual(['high', 'info']);
});

test('a report without matches is clean, and one of a directory names no asset', async () => {
  const clean = { matches: null, source: { type: 'directory', target: '/src' }, descriptor: { name: 'grype' } };
  expect(await eventsOf('auto', JSON.stringify(clean))).toEqual([{ kind: 'tool', name: 'Grype' }]);
  const directory = { ...report, source: clean.source };
  expect(findingsOf(await eventsOf('grype', JSON.stringify(directory)))[0]?.asset).toBeNull();
});

const inGo = (id: string, cve: string, path = '/app/shop') => ({
  vulnerability: { id, severity: 'High' },
  relatedVulnerabilities: [{ id: cve }],
  artifact: { name: 'golang.org/x/net', version: 'v0.7.0', type: 'go-module', locations: [{ path }] },
});

test("an advisory of Go's database and GitHub's of the same CVE are one problem, whatever their order", async () => {
  const [github, go] = [inGo('GHSA-aaaa-bbbb-cccc', 'CVE-2023-1'), inGo('GO-2023-1', 'CVE-2023-1')];
  const identities = async (matches: object[]) =>
    findingsOf(await eventsOf('grype', JSON.stringify({ matches }))).map(({ identity }) => identity[0]);
  const lead = 'GHSA-aaaa-bbbb-cccc';
  expect(await identities([github, go])).toEqual([lead, lead]);
  expect(await identities([go, github])).toEqual([lead, lead]);
  expect(await identities([go])).toEqual(['GO-2023-1']);
  expect(await identities([github, inGo('GO-2023-2', 'CVE-2023-2')])).toEqual([lead, 'GO-2023-2']);
  expect(await identities([github, inGo('GO-2023-1', 'CVE-2023-1', '/app/other')])).toEqual([lead, 'GO-2023-1']);
});

test('a match that comes twice, once without the fix, is one problem with one identity', async () => {
  const [match] = report.matches;
  const bare = { ...match, vulnerability: { ...match.vulnerability, fix: { versions: [], state: 'unknown' } } };
  const found = findingsOf(await eventsOf('grype', JSON.stringify({ ...report, matches: [bare, match] })));
  expect(found[0]?.identity).toEqual(found[1]?.identity);
});
