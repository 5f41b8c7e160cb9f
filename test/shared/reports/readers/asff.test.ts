import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const finding = (parts: object) => ({ Id: 'i', Title: 't', AwsAccountId: '1', ProductArn: 'p', ...parts });

test('a finding is on its account and names its resources, package, score and references', async () => {
  const [jetty, ...others] = findingsOf(await eventsOf('auto', fixture('asff/findings.json')));
  expect(jetty).toEqual({
    title: 'CVE-2017-9735 - org.eclipse.jetty:jetty-server',
    description: 'Jetty has a timing channel.\n\nPackage org.eclipse.jetty:jetty-server 8.1.14, fixed in 9.4.6',
    severity: 'high',
    toolSeverity: 'HIGH',
    ruleId: 'CVE-2017-9735',
    cves: ['CVE-2017-9735'],
    cwes: [],
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    cvssScore: 7.5,
    asset: { type: 'cloud_account', value: '000000000001' },
    location: { path: 'arn:aws:ec2:eu-west-1:000000000001:instance/i-1' },
    otherLocations: [{ path: 'arn:aws:ec2:eu-west-1:000000000001:instance/i-2' }],
    component: { name: 'org.eclipse.jetty:jetty-server', version: '8.1.14', fixedVersions: ['9.4.6'] },
    evidence: [],
    references: [
      'https://docs.example.test/fix',
      'https://nvd.example.test/CVE-2017-9735',
      'https://bugs.example.test/1',
    ],
    remediation: 'Update the package.',
    tags: [
      'Inspector',
      'eu-west-1',
      'AwsEc2Instance',
      'Other',
      'Software and Configuration Checks/Vulnerabilities/CVE',
    ],
    identity: [
      'arn:aws:securityhub:eu-west-1::product/aws/inspector',
      'arn:aws:inspector2:eu-west-1:000000000001:finding/aaaa',
    ],
  });
  expect(others).toEqual([]);
});

test('the type names the rule where the generator is a detector; before labels the normalized number rates', async () => {
  const findings = findingsOf(await eventsOf('auto', fixture('asff/lines.jsonl')));
  expect(findings).toEqual([
    expect.objectContaining({
      ruleId: 'Persistence:IAMUser-NetworkPermissions',
      severity: 'medium',
      toolSeverity: '50',
    }),
  ]);
});

describe('what is over is no finding', () => {
  test.each([
    { RecordState: 'ARCHIVED' },
    { Workflow: { Status: 'SUPPRESSED' } },
    { Workflow: { Status: 'RESOLVED' } },
    { Compliance: { Status: 'PASSED' } },
    { Compliance: { Status: 'NOT_AVAILABLE' } },
  ])('%j', async (over) => {
    const events = await eventsOf('asff', JSON.stringify([finding(over), finding({ Id: 'j' })]));
    expect(events.map(({ kind }) => kind)).toEqual(['tool', 'finding']);
  });
});

test('a failed check that is suppressed in the hub or muted in Prowler is a muted finding', async () => {
  const prowler = { ProductFields: { ProviderName: 'Prowler', ProviderVersion: '5.4.0' } };
  const entries = [
    finding({ Compliance: { Status: 'FAILED' }, Workflow: { Status: 'SUPPRESSED' } }),
    finding({ Id: 'j', Compliance: { Status: 'WARNING' }, ...prowler }),
    finding({ Id: 'k', Compliance: { Status: 'WARNING' } }),
    finding({ Id: 'l', Compliance: { Status: 'FAILED' }, ...prowler }),
    finding({ Id: 'm', Compliance: { Status: 'WARNING' }, RecordState: 'ARCHIVED', ...prowler }),
    finding({ Id: 'n', Compliance: { Status: 'PASSED' }, Workflow: { Status: 'SUPPRESSED' } }),
  ];
  const found = findingsOf(await eventsOf('asff', JSON.stringify(entries)));
  expect(found.map(({ identity, muted }) => [identity[1], muted])).toEqual([
    ['i', true],
    ['j', true],
    ['k', undefined],
    ['l', undefined],
  ]);
});

describe('a control without a result', () => {
  const kindsOf = async (ReasonCode: string, more: object = {}) => {
    const Compliance = { Status: 'NOT_AVAILABLE', StatusReasons: [{ ReasonCode }] };
    return (await eventsOf('asff', JSON.stringify([finding({ Compliance, ...more })]))).map(({ kind }) => kind);
  };

  test.each(['CONFIG_RULE_EVALUATION_ERROR', 'CONFIG_ACCESS_DENIED', 'THROTTLING_ERROR', 'INTERNAL_SERVICE_ERROR'])(
    'closes nothing where it could not be evaluated: %s',
    async (reason) => {
      expect(await kindsOf(reason)).toEqual(['tool', 'incomplete']);
      expect(await kindsOf(reason, { RecordState: 'ARCHIVED' })).toEqual(['tool']);
    },
  );

  test('closes its finding where nothing is left to evaluate', async () => {
    for (const reason of ['CONFIG_RETURNS_NOT_APPLICABLE', 'CONFIG_EVALUATIONS_EMPTY'])
      expect(await kindsOf(reason)).toEqual(['tool']);
  });
});

test('it comes as an array, as the answer of the API, as an event, in any order of keys, also on one line', async () => {
  const whole = [finding({}), finding({ Id: 'j' })];
  expect(findingsOf(await eventsOf('auto', JSON.stringify(finding({}), null, 1)))).toHaveLength(1);
  const reports = [whole, { Findings: whole }, { NextToken: 'x', Findings: whole }, { detail: { findings: whole } }];
  for (const report of reports) expect(findingsOf(await eventsOf('auto', JSON.stringify(report)))).toHaveLength(2);
  expect(findingsOf(await eventsOf('auto', JSON.stringify({ Findings: whole }, null, 1)))).toHaveLength(2);
});

test('each vulnerable package is a finding, with its whole version, whatever their order', async () => {
  const packages = [
    { Name: 'libcurl4', Version: '7.81.0', Release: '1ubuntu1.14', Epoch: '0', FixedInVersion: '0:7.81.0-1ubuntu1.15' },
    { Name: 'bind', Version: '9.11.36', Release: '8.el8', Epoch: '32', FixedInVersion: 'NotAvailable' },
    { Name: 'core', Version: '2.14.1', FilePath: 'lib/core-2.14.1.jar' },
  ];
  const found = async (list: object[]) => {
    const entry = finding({ Vulnerabilities: [{ Id: 'CVE-2024-20001', VulnerablePackages: list }] });
    return findingsOf(await eventsOf('asff', JSON.stringify([entry])));
  };
  const all = await found([...packages, ...packages.slice(0, 1)]);
  expect(all.map(({ component, identity }) => [component?.name, component?.version, identity])).toEqual([
    ['bind', '32:9.11.36-8.el8', ['p', 'i']],
    ['core', '2.14.1', ['p', 'i', 'core', 'lib/core-*.jar']],
    ['libcurl4', '7.81.0-1ubuntu1.14', ['p', 'i', 'libcurl4', '']],
  ]);
  expect(await found(packages.toReversed())).toEqual(all);
});
