import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const report = JSON.parse(fixture('osv-scanner/lockfile.json').toString());
const read = async (change: (record: Record<string, unknown>) => void) => {
  const copy = structuredClone(report);
  change(copy.results[0].packages[0].vulnerabilities[1]);
  return findingsOf(await eventsOf('osv-scanner', JSON.stringify(copy)));
};

test('a record keeps its ids, its package with the fix of its branch, its score and its lock file', async () => {
  expect((await read(() => undefined))[1]).toEqual({
    title: 'GHSA-aaaa-bbbb-cccc in quickform 2.1.0: Forgeable session cookie',
    description: 'The session cookie of quickform can be forged.',
    severity: 'medium',
    toolSeverity: 'MODERATE',
    ruleId: 'GHSA-aaaa-bbbb-cccc',
    cves: ['CVE-2023-10001'],
    cwes: ['CWE-347'],
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    cvssScore: 7.5,
    asset: null,
    location: { path: 'api/poetry.lock' },
    component: { name: 'quickform', version: '2.1.0', purl: 'pkg:pypi/quickform@2.1.0', fixedVersions: ['2.1.4'] },
    evidence: [],
    references: ['https://github.com/advisories/GHSA-aaaa-bbbb-cccc'],
    remediation: 'Update quickform to 2.1.4.',
    tags: ['PYSEC-2023-9001', 'CVE-2023-10001'],
    identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', 'api/poetry.lock'],
  });
});

test('two databases that describe one problem give one finding', async () => {
  const [pysec, ghsa] = await read(() => undefined);
  expect(pysec?.identity).toEqual(ghsa?.identity);
  expect(pysec?.severity).toBe('high');
});

test('without a word the vector rates a record, and a malicious package is critical', async () => {
  const [, scored] = await read((record) => delete record.database_specific);
  expect(scored?.severity).toBe('high');
  const [, malicious] = await read((record) =>
    Object.assign(record, { id: 'MAL-1', severity: [], database_specific: {} }),
  );
  expect(malicious?.severity).toBe('critical');
});

test('a report without results is clean, and a list of something else is not', async () => {
  expect(await eventsOf('auto', '{"results": [], "experimental_config": {}}')).toHaveLength(1);
  expect(await codeOf(eventsOf('osv-scanner', '{"errors": []}'))).toBe('unsupported_format');
  const other = await eventsOf('osv-scanner', '{"results": [{"check_id": "x"}]}');
  expect(other).toContainEqual({ kind: 'rejected', where: 'results[0]', reason: 'it has no source' });
});

test('what the code never calls says so', async () => {
  const copy = structuredClone(report);
  const [found] = copy.results[0].packages;
  found.groups = [{ ids: ['GO-1'], experimental_analysis: { 'GO-1': { called: false } } }];
  found.vulnerabilities = [{ id: 'GO-1' }];
  expect(findingsOf(await eventsOf('osv-scanner', JSON.stringify(copy)))[0]?.tags).toContain('unreachable');
});
