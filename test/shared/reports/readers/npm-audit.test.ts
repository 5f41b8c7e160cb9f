import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const npm6 = fixture('npm-audit/npm6.json').toString();
const npm7 = fixture('npm-audit/npm7.json').toString();
const read = async (text: string, format = 'npm-audit') => findingsOf(await eventsOf(format, text));

test('npm 6: an advisory keeps its ids, score, fixes and the ways by which the package comes in, for each version', async () => {
  const [first, second, ...others] = await read(npm6);
  expect(first).toEqual({
    title: 'GHSA-aaaa-bbbb-cccc in quickform 2.1.0: Forgeable session cookie',
    description: 'The session cookie of quickform can be forged.',
    severity: 'medium',
    toolSeverity: 'moderate',
    ruleId: 'GHSA-aaaa-bbbb-cccc',
    cves: ['CVE-2023-10001'],
    cwes: ['CWE-347'],
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    cvssScore: 5.3,
    asset: null,
    location: {},
    component: {
      name: 'quickform',
      version: '2.1.0',
      purl: 'pkg:npm/quickform@2.1.0',
      fixedVersions: ['1.9.7', '2.1.4'],
    },
    evidence: [{ kind: 'text', content: 'Comes in by:\nweb-shop>quickform\nweb-admin>quickform' }],
    references: [
      'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
      'https://nvd.nist.gov/vuln/detail/CVE-2023-10001',
      'https://example.test/quickform',
    ],
    remediation: 'Upgrade to version 2.1.4 or later',
    tags: ['CVE-2023-10001'],
    identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', ''],
  });
  expect(second).toMatchObject({ component: { version: '1.9.0' }, identity: [...(first?.identity ?? []), '#2'] });
  expect(others).toEqual([]);
});

test('npm 7: an advisory is one finding of its package, not of each package that depends on it', async () => {
  expect(await read(npm7)).toMatchObject([
    {
      title: 'GHSA-aaaa-bbbb-cccc in quickform: Forgeable session cookie',
      severity: 'medium',
      cvssScore: 5.3,
      location: { path: 'node_modules/quickform' },
      otherLocations: [{ path: 'packages/admin/node_modules/quickform' }],
      evidence: [{ content: 'Needed by: web-shop' }, { content: 'Vulnerable versions: <2.1.4' }],
      remediation: 'Update web-shop to 3.0.0, a major version with breaking changes.',
      identity: ['GHSA-aaaa-bbbb-cccc', 'quickform', ''],
    },
  ]);
});

test('an advisory with a new number after a revision is the same finding in both versions of npm', async () => {
  const [before] = await read(npm6);
  const [revised] = await read(npm6.replaceAll('1091234', '1099999'));
  const [after] = await read(npm7);
  expect([revised?.identity, after?.identity]).toEqual([before?.identity, before?.identity]);
});

test('clean reports of npm 6 and npm 7 are clean, and an error of npm is no report', async () => {
  const clean6 = { actions: [], advisories: {}, muted: [], metadata: { vulnerabilities: {} } };
  const clean7 = { auditReportVersion: 2, vulnerabilities: {}, metadata: {} };
  for (const clean of [clean6, clean7])
    expect(await eventsOf('auto', JSON.stringify(clean))).toEqual([{ kind: 'tool', name: 'npm audit' }]);
  expect(await codeOf(eventsOf('npm-audit', '{"error": {"code": "ENOLOCK"}}'))).toBe('unsupported_format');
});

test('a report of Yarn 2, which looks like one of npm 6, is read as what its sender names it', async () => {
  expect((await eventsOf('yarn-audit', npm6))[0]).toEqual({ kind: 'tool', name: 'yarn audit' });
  expect(await read(npm6, 'yarn-audit')).toEqual(await read(npm6));
});
