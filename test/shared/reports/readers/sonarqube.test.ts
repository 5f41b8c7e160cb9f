import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const json = (name: string) => JSON.parse(fixture(`sonarqube/${name}.json`).toString());
const reading = (report: object) => eventsOf('auto', JSON.stringify(report));
const findings = async (report: object) => findingsOf(await reading(report));
const withIssue = (change: object) => {
  const report = json('issues');
  return { ...report, issues: [{ ...report.issues[0], ...change }] };
};

test('an issue keeps rule, severity, places and tags', async () => {
  expect((await findings(json('issues')))[0]).toEqual({
    title: '"password" detected here, make sure this is not a hard-coded credential',
    description: '"password" detected here, make sure this is not a hard-coded credential.',
    severity: 'critical',
    toolSeverity: 'BLOCKER',
    ruleId: 'python:S2068',
    cves: [],
    cwes: ['CWE-798'],
    asset: null,
    location: { path: 'src/login.py', line: 8 },
    otherLocations: [{ path: 'src/settings.py', line: 3 }],
    evidence: [],
    references: [],
    tags: ['VULNERABILITY', 'shop', 'cwe-798'],
    identity: [
      'python:S2068',
      'shop:src/login.py',
      'message:"password" detected here, make sure this is not a hard-coded credential.',
    ],
  });
});

test('a hotspot is the same one in the API and in the JSON of sonar-report; a reviewed one does not come up', async () => {
  const [hotspot, ...others] = await findings(json('hotspots'));
  const [issue] = await findings(json('report'));
  expect(others).toEqual([]);
  expect(hotspot).toMatchObject({
    severity: 'high',
    ruleId: 'python:S4502',
    location: { path: 'src/app.py', line: 47 },
  });
  expect(issue?.identity).toEqual(hotspot?.identity);
});

test("sonar-report's page is read though it is no XML", async () => {
  const found = findingsOf(await eventsOf('auto', fixture('sonarqube/report.html')));
  expect(found).toMatchObject([
    {
      title: 'Remove this "clone" implementation',
      description: '"clone" should not be overridden\n\nRemove this "clone" implementation.',
      severity: 'critical',
      ruleId: 'squid:S2975',
      location: { path: 'java/Encoder.java', line: 190 },
    },
  ]);
});

test('a page is read alike in pieces of any size', async () => {
  const page = fixture('sonarqube/report.html');
  const whole = await eventsOf('sonarqube', page);
  for (const size of [1, 2, 3, 7, 100]) expect(await eventsOf('sonarqube', page, size)).toEqual(whole);
});

test('a row of millions of characters in small pieces costs one look at each', { timeout: 30_000 }, async () => {
  const page = fixture('sonarqube/report.html').toString();
  const long = page.replace('Remove this', `${'x '.repeat(3_000_000)}Remove this`);
  expect(long.length).toBeGreaterThan(6_000_000);
  expect(findingsOf(await eventsOf('sonarqube', long, 512))).toHaveLength(1);
});

test('a vulnerable package that the Dependency-Check plug-in found is named', async () => {
  const message = 'Filename: webkit:1.2.3 | Reference: CVE-2024-10003 | CVSS Score: 6.4 | Category: CWE-120 | It runs.';
  const report = withIssue({
    rule: 'OWASP:UsingComponentWithKnownVulnerability',
    component: 'shop',
    line: undefined,
    message,
  });
  expect((await findings(report))[0]).toMatchObject({
    title: 'CVE-2024-10003 in webkit 1.2.3',
    cves: ['CVE-2024-10003'],
    cwes: ['CWE-120', 'CWE-798'],
    cvssScore: 6.4,
    component: { name: 'webkit', version: '1.2.3', fixedVersions: [] },
    location: {},
  });
});

test.each([
  ['BLOCKER', 'critical'],
  ['CRITICAL', 'high'],
  ['MAJOR', 'medium'],
  ['MINOR', 'low'],
  ['INFO', 'info'],
])('an issue of severity %s is %s', async (severity, expected) => {
  expect((await findings(withIssue({ severity })))[0]?.severity).toBe(expected);
});

test('where SonarQube gives impacts alone, that on security decides', async () => {
  const impacts = [
    { softwareQuality: 'MAINTAINABILITY', severity: 'LOW' },
    { softwareQuality: 'SECURITY', severity: 'MEDIUM' },
  ];
  expect((await findings(withIssue({ severity: undefined, impacts })))[0]).toMatchObject({
    severity: 'medium',
    toolSeverity: 'MEDIUM',
  });
});

describe('what closes findings', () => {
  const kinds = async (report: object) => (await reading(report)).map(({ kind }) => kind);

  test.each([{ status: 'CLOSED' }, { resolution: 'FALSE-POSITIVE' }, { issueStatus: 'ACCEPTED' }])(
    'an issue that is %j does not come up',
    async (change) => {
      expect(await kinds(withIssue(change))).toEqual(['tool']);
    },
  );

  test('a page of many closes nothing, an empty answer is a clean scan', async () => {
    const report = json('issues');
    const paging = { pageIndex: 1, pageSize: 500, total: 501 };
    expect(await kinds({ ...report, paging })).toEqual(['tool', 'finding', 'incomplete']);
    expect(await kinds({ ...report, issues: [], paging: { ...paging, total: 0 } })).toEqual(['tool']);
  });

  test('lines that moved leave an issue what it was', async () => {
    const [before] = await findings(json('issues'));
    const [after] = await findings(withIssue({ line: 80 }));
    expect(after?.identity).toEqual(before?.identity);
  });

  test('a page whose summary counts no issue is a clean one', async () => {
    const page = fixture('sonarqube/report.html').toString();
    const clean = page.replace(/<h2>Detail[\s\S]*?<\/table>/, '').replace('<td>1</td>', '<td>0</td>');
    expect(await eventsOf('auto', clean)).toEqual([{ kind: 'tool', name: 'SonarQube' }]);
  });

  test('a page without the table of issues is never taken for a clean one', async () => {
    const page = fixture('sonarqube/report.html').toString().replace('<th>Component</th>', '');
    expect(await codeOf(eventsOf('sonarqube', page))).toBe('unsupported_format');
  });
});
