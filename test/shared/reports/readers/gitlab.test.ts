import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf, withoutTexts } from './reading.ts';

const json = (name: string) => JSON.parse(fixture(`gitlab/${name}.json`).toString());
const reading = (report: object) => eventsOf('auto', JSON.stringify(report));
const findings = async (report: object) => findingsOf(await reading(report));
const changed = (name: string, change: object) => {
  const report = json(name);
  return { ...report, vulnerabilities: [{ ...report.vulnerabilities[0], ...change }] };
};

test('a problem in code keeps rule, weakness, place and the mark of a likely false positive', async () => {
  const [tool, event] = await reading(json('sast'));
  expect(tool).toEqual({ kind: 'tool', name: 'Find Security Bugs', version: '4.8.0', category: 'sast' });
  expect(event).toEqual({
    kind: 'finding',
    finding: {
      title: 'Reflected cross site scripting',
      description: 'A parameter of the request is written to the page.',
      severity: 'high',
      toolSeverity: 'High',
      ruleId: 'XSS_SERVLET',
      cves: [],
      cwes: ['CWE-79'],
      asset: null,
      location: { path: 'src/Shop.java', line: 96 },
      evidence: [{ kind: 'text', content: 'In shop.Shop.doPost' }],
      references: ['https://rules.example.test/xss'],
      tags: ['flagged-as-likely-false-positive', 'Medium CONFIDENCE'],
      identity: ['XSS_SERVLET', 'src/Shop.java', 'scope_offset:src/Shop.java|Shop[0]|doPost[0]:7'],
    },
  });
});

test('a vulnerable dependency names its package, lock file and version to update to', async () => {
  expect((await findings(json('dependencies')))[0]).toMatchObject({
    title: 'CVE-2024-10004 in git.example.test/yaml.v2 v2.2.2: XML Entity Expansion',
    severity: 'info',
    toolSeverity: 'Unknown',
    ruleId: 'CVE-2024-10004',
    cves: ['CVE-2024-10004'],
    component: { name: 'git.example.test/yaml.v2', version: 'v2.2.2', fixedVersions: ['2.2.3'] },
    location: { path: 'service/go.sum' },
    references: ['https://git.example.test/yaml/pull/1', 'https://nvd.nist.gov/vuln/detail/CVE-2024-10004'],
    remediation: 'Upgrade to version 2.2.3 or above.',
  });
});

test("a vulnerability of an image is on the default branch's image, with any tag of a build", async () => {
  const [first] = await findings(json('container'));
  expect(first).toMatchObject({
    title: 'CVE-2024-10005 in apt 1.4.8',
    asset: { type: 'container_image', value: 'registry.example.test/shop:latest' },
    component: { name: 'apt', version: '1.4.8', fixedVersions: ['1.4.9'] },
    tags: ['debian:9.4'],
  });
  const location = json('container').vulnerabilities[0].location;
  const [updated] = await findings(
    changed('container', { location: { ...location, dependency: { package: { name: 'apt' }, version: '1.4.8-1' } } }),
  );
  expect(updated?.identity).toEqual(first?.identity);
});

test('a problem of a site names the request, and keeps what was sent and answered', async () => {
  expect((await findings(json('dast')))[0]).toMatchObject({
    title: 'PII Disclosure: GET /orders (q)',
    ruleId: '10062',
    cwes: ['CWE-359'],
    asset: { type: 'url', value: 'http://shop.example.test' },
    location: { url: 'http://shop.example.test/orders' },
    evidence: [
      { kind: 'text', content: '4111' },
      { kind: 'http', content: 'GET http://shop.example.test/orders?q=1\nAccept: */*' },
      { kind: 'http', content: '200 OK\nServer: shop' },
    ],
    identity: ['10062', 'GET', '/orders', 'q'],
  });
});

test('a problem that is known by its weakness alone has that for a rule, and stays the finding that it was', async () => {
  const identifiers = [{ type: 'cwe', name: 'CWE-200', value: '200', url: 'https://cwe.example.test/200' }];
  const [finding] = await findings(changed('dast', { identifiers }));
  expect(finding).toMatchObject({ ruleId: 'CWE-200', cwes: ['CWE-200'] });
  expect(finding?.identity[0]).toBe('200');
});

test('a secret is masked, and equals the secret that Gitleaks itself reports', async () => {
  const [first] = await findings(json('secrets'));
  expect(withoutTexts(first)).not.toContain('EXAMPLE');
  expect(first).toMatchObject({
    title: 'Secret (AWS) in README.md',
    severity: 'critical',
    location: { path: 'README.md', line: 5, snippet: 'AK****01' },
  });
  expect(first?.location.commit).toBeUndefined();
  const leak = { RuleID: 'AWS', Secret: 'AKIAEXAMPLE000000001', File: 'README.md', StartLine: 5, Entropy: 3 };
  const [tool, own] = await eventsOf('auto', JSON.stringify([leak]));
  expect(tool).toMatchObject({ name: 'gitleaks' });
  expect(own).toMatchObject({ finding: { identity: first?.identity } });
});

test('a secret is masked also in a report that does not say what was looked for', async () => {
  const { vulnerabilities } = json('secrets');
  const sent = { version: '15.0.7', vulnerabilities: [{ ...vulnerabilities[0], category: undefined }] };
  expect(withoutTexts(await reading(sent))).not.toContain('EXAMPLE');
});

describe('identity', () => {
  test.each(['sast', 'old'])('lines that moved in the report %s do not change the problem', async (name) => {
    const [before] = await findings(json(name));
    const [after] = await findings(
      changed(name, { id: 'other', location: { ...json(name).vulnerabilities[0].location, start_line: 400 } }),
    );
    expect(after?.identity).toEqual(before?.identity);
  });
});

describe('what closes findings', () => {
  test('a scan that found nothing says so, one that failed closes nothing', async () => {
    const report = json('sast');
    expect((await reading({ ...report, vulnerabilities: [] })).map(({ kind }) => kind)).toEqual(['tool']);
    const scan = { ...report.scan, status: 'failure', messages: [{ level: 'fatal', value: 'out of memory' }] };
    expect(await reading({ ...report, scan })).toContainEqual({
      kind: 'incomplete',
      code: 'tool_error',
      first: 'out of memory',
    });
  });

  test('a vulnerability that says nothing is rejected', async () => {
    expect((await reading({ ...json('sast'), vulnerabilities: [{ id: 'x' }] })).map(({ kind }) => kind)).toEqual([
      'tool',
      'rejected',
    ]);
  });
});
