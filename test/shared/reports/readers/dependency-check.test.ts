import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const xml = fixture('dependency-check/report.xml').toString();
const json = fixture('dependency-check/report.json').toString();
const readXml = async (text: string) => findingsOf(await eventsOf('dependency-check', text));

test('a vulnerable file keeps its package, the vector of its words, its fix and the places of its copies', async () => {
  const findings = await readXml(xml);
  expect(findings).toEqual([
    {
      title: 'CVE-2023-10001 in org.example:quickform 2.1.0',
      description: 'The session cookie of quickform can be forged.',
      severity: 'critical',
      toolSeverity: 'CRITICAL',
      ruleId: 'CVE-2023-10001',
      cves: ['CVE-2023-10001'],
      cwes: ['CWE-347'],
      cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      cvssScore: 9.8,
      asset: null,
      location: { path: 'lib/quickform-2.1.0.jar' },
      otherLocations: [{ path: 'target/shop.war/quickform-2.1.0.jar' }],
      component: {
        name: 'org.example:quickform',
        version: '2.1.0',
        purl: 'pkg:maven/org.example/quickform@2.1.0',
        fixedVersions: ['2.1.4'],
      },
      evidence: [],
      references: ['https://example.test/advisory'],
      remediation: 'Update org.example:quickform to 2.1.4.',
      tags: ['NVD'],
      identity: ['CVE-2023-10001', 'org.example:quickform', 'quickform-*.jar'],
    },
  ]);
  expect(findingsOf(await eventsOf('dependency-check', json))).toEqual(findings);
});

test('the file of another version is the same finding', async () => {
  const [before] = await readXml(xml);
  const [after] = await readXml(xml.replaceAll('2.1.0', '2.1.3'));
  expect(after?.identity).toEqual(before?.identity);
});

test('a scan in which an analyzer failed closes nothing', async () => {
  expect(await eventsOf('dependency-check', json)).toContainEqual({
    kind: 'incomplete',
    code: 'tool_error',
    first: 'an analyzer failed: UnexpectedAnalysisException: the OSS Index is out of reach',
  });
  expect((await eventsOf('dependency-check', xml)).map(({ kind }) => kind)).toEqual(['tool', 'finding']);
});

test('a report of schema 1 is rated by its word and its score', async () => {
  const old = `<analysis xmlns="https://www.owasp.org/index.php/OWASP_Dependency_Check#1.2"><scanInfo/><dependencies>
    <dependency><fileName>core-1.jar</fileName><filePath>core-1.jar</filePath>
      <identifiers><identifier type="maven"><name>(org.example:core:1)</name></identifier></identifiers>
      <vulnerabilities><vulnerability><name>CVE-2015-1</name><cvssScore>5.0</cvssScore><severity>Medium</severity>
        <cwe>CWE-20 Improper Input Validation</cwe></vulnerability></vulnerabilities></dependency>
    </dependencies></analysis>`;
  expect(await readXml(old)).toMatchObject([
    { severity: 'medium', cvssScore: 5, cwes: ['CWE-20'], component: { name: 'org.example:core', version: '1' } },
  ]);
});

test('the range of an npm advisory becomes the version that repairs it', async () => {
  const software = { software: { id: 'left-trim', vulnerabilityIdMatched: 'true', versionEndExcluding: '<2.1.0' } };
  const dependency = {
    fileName: 'package-lock.json: left-trim:2.0.3',
    packages: [{ id: 'pkg:npm/left-trim@2.0.3' }],
    vulnerabilities: [{ name: 'GHSA-aaaa-bbbb-cccc', severity: 'high', vulnerableSoftware: [software] }],
  };
  const report = JSON.stringify({ reportSchema: '1.1', scanInfo: {}, dependencies: [dependency] });
  expect(findingsOf(await eventsOf('dependency-check', report))[0]?.remediation).toBe('Update left-trim to 2.1.0.');
});
