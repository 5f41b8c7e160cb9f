import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const event = (parts: object) => ({
  class_uid: 2004,
  severity_id: 3,
  finding_info: { uid: 'u', title: 't' },
  ...parts,
});

test('each vulnerability of an event is a finding with its package, score and remediation', async () => {
  const [loop, other] = findingsOf(await eventsOf('auto', fixture('ocsf/events.json')));
  expect(loop).toEqual({
    title: 'CVE-2024-1111 in libloop 1.0: Endless loop',
    description: 'A loop does not end.',
    severity: 'high',
    toolSeverity: 'High',
    ruleId: 'CVE-2024-1111',
    cves: ['CVE-2024-1111'],
    cwes: ['CWE-400'],
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    cvssScore: 7.5,
    asset: { type: 'cloud_account', value: '000000000001' },
    location: { path: '/usr/lib' },
    component: { name: 'libloop', version: '1.0', purl: 'pkg:deb/libloop@1.0', fixedVersions: ['1.1'] },
    evidence: [],
    references: ['https://advisories.example.test/1'],
    remediation: 'Update libloop.',
    tags: ['Vulnerability Finding', 'eu-west-1', 'AwsEc2Instance'],
    identity: ['CVE-2024-1111', 'libloop', '/usr/lib', 'arn:aws:ec2:eu-west-1:000000000001:instance/i-1'],
  });
  expect(other).toMatchObject({ title: 'CVE-2024-2222 in libother 2.0', description: 'Two packages are vulnerable.' });
});

test('each product is a tool of its own, so that one that is missing closes nothing', async () => {
  const events = await eventsOf('auto', fixture('ocsf/events.json'));
  expect(events.flatMap((one) => (one.kind === 'tool' ? [one.name] : []))).toEqual(['Inspector', 'Security Hub']);
  expect(findingsOf(events).at(-1)).toMatchObject({
    ruleId: 'IAM.9',
    severity: 'medium',
    remediation: 'Enable MFA.',
    identity: ['f-2'],
  });
});

test('a detection on a device is on that host; fatal is critical; a suppressed event is no finding', async () => {
  expect(findingsOf(await eventsOf('auto', fixture('ocsf/lines.jsonl')))).toEqual([
    expect.objectContaining({
      title: 'Shell started by the web server',
      ruleId: 'rule-7',
      severity: 'critical',
      asset: { type: 'host', value: 'web.example.test' },
      location: { host: 'web.example.test' },
    }),
  ]);
});

test('a failed check that is suppressed is a muted finding', async () => {
  const check = (uid: string, parts: object) => ({ class_uid: 2004, finding_info: { uid, title: 't' }, ...parts });
  const entries = [
    check('a', { status: 'Suppressed', status_code: 'FAIL' }),
    check('b', { status: 'Suppressed', status_code: 'PASS' }),
    check('c', { status: 'Suppressed', status_code: 'FAIL', activity_id: 3 }),
    check('d', { status_id: 3, status: 'Suppressed' }),
    hubControl('EC2.8', { status_id: 3, compliance: { status_id: 3, status: 'Fail' } }),
  ];
  const found = findingsOf(await eventsOf('ocsf', JSON.stringify(entries)));
  expect(found.map(({ identity, muted }) => [identity[0], muted])).toEqual([
    ['a', true],
    ['EC2.8', true],
  ]);
});

const hubControl = (control: string, parts: object) => ({
  class_uid: 2003,
  metadata: { product: { name: 'Security Hub', vendor_name: 'AWS' } },
  finding_info: { uid: control, title: control },
  cloud: { account: { uid: '000000000001' } },
  ...parts,
  compliance: { control, standards: ['standards/cis-aws-foundations-benchmark/v/3.0.0'], ...Object(parts).compliance },
});

test('passed controls of Security Hub show the passed checks of the benchmark', async () => {
  const held = { status_id: 1, status: 'Pass' };
  const events = await eventsOf(
    'ocsf',
    JSON.stringify([
      hubControl('S3.8', { status_id: 4, compliance: held }),
      hubControl('EC2.8', { status_id: 1, compliance: { status_id: 3, status: 'Fail' } }),
      hubControl('IAM.9', { status_id: 3, compliance: held }),
      hubControl('RDS.3', { compliance: { ...held, status_details: ['CONFIG_EVALUATIONS_EMPTY'] } }),
      hubControl('S3.9', { compliance: held }),
      { ...hubControl('KMS.4', { compliance: held }), metadata: { product: { name: 'Scanner', vendor_name: 'Acme' } } },
      hubControl('C-7', { compliance: { ...held, requirements: ['CIS AWS Foundations Benchmark v3.0.0/1.8'] } }),
    ]),
  );
  const asset = { type: 'cloud_account', value: '000000000001' };
  expect(events.filter(({ kind }) => kind === 'passed')).toEqual([
    { kind: 'passed', check: { benchmark: 'aws-3.0', key: '2.1.4a' }, asset },
    { kind: 'passed', check: { benchmark: 'aws-3.0', key: '1.8' }, asset },
  ]);
  expect(findingsOf(events)).toMatchObject([{ ruleId: 'EC2.8', check: { benchmark: 'aws-3.0', key: '5.6' } }]);
});

describe('what is over is no finding', () => {
  test.each([
    { status_id: 3 },
    { status_id: 4 },
    { status: 'Archived' },
    { activity_id: 3 },
    { status_code: 'PASS' },
    { compliance: { status_id: 1 } },
  ])('%j', async (over) => {
    const events = await eventsOf(
      'ocsf',
      JSON.stringify([event(over), event({ finding_info: { uid: 'v', title: 'w' } })]),
    );
    expect(events.map(({ kind }) => kind)).toEqual(['tool', 'finding']);
  });
});

test('an event of another class is rejected, and Prowler is read as Prowler', async () => {
  expect((await eventsOf('ocsf', JSON.stringify([{ class_uid: 3002 }]))).map(({ kind }) => kind)).toEqual([
    'tool',
    'rejected',
  ]);
  expect(await codeOf(eventsOf('ocsf', fixture('prowler/v4.ocsf.json')))).toBe('unsupported_format');
});

test('each affected package is a finding, with its whole version', async () => {
  const affected_packages = [
    { name: 'libcurl4', version: '7.81.0', release: '1ubuntu1.14', epoch: 0, fixed_in_version: '7.81.0-1ubuntu1.15' },
    { name: 'bind', version: '9.11.36', release: '8.el8', epoch: 32 },
    { name: 'urllib3', version: '2.0.4', path: 'lib/urllib3-2.0.4.dist-info' },
  ];
  const event = {
    class_uid: 2002,
    finding_info: { title: 'Vulnerable packages', uid: 'u' },
    vulnerabilities: [{ cve: { uid: 'CVE-2024-20001' }, affected_packages }],
  };
  const found = findingsOf(await eventsOf('ocsf', JSON.stringify(event)));
  expect(found.map(({ component, identity }) => [component?.version, identity])).toEqual([
    ['7.81.0-1ubuntu1.14', ['CVE-2024-20001', 'libcurl4', '', '']],
    ['32:9.11.36-8.el8', ['CVE-2024-20001', 'bind', '', '']],
    ['2.0.4', ['CVE-2024-20001', 'urllib3', 'lib/urllib3-*.dist-info', '']],
  ]);
});
