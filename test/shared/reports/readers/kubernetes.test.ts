import { describe, expect, test } from 'vitest';
import { kubescape } from '#shared/reports/formats/kubescape/format.ts';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

/** Tools that check the configuration of Kubernetes: kube-bench and Kubescape. */
const json = (name: string) => JSON.parse(fixture(name).toString());
const reading = (report: unknown) => eventsOf('auto', JSON.stringify(report));
const findings = async (report: unknown) => findingsOf(await reading(report));

test('a check that failed in kube-bench says what was expected, what was found and what to do', async () => {
  const [failed, manual, ...others] = await findings(json('kube-bench/report.json'));
  expect(others).toEqual([]);
  expect(failed).toEqual({
    title: '1.1.13 Ensure that the admin.conf file permissions are set to 600 (Automated)',
    description: 'Control Plane Security Configuration: Configuration Files',
    severity: 'medium',
    toolSeverity: 'FAIL',
    ruleId: '1.1.13',
    cves: [],
    cwes: [],
    asset: null,
    location: {},
    evidence: [
      { kind: 'command', content: 'stat -c %a /etc/kubernetes/admin.conf' },
      {
        kind: 'text',
        content: 'Expected: permissions has permissions 644, expected 600 or more restrictive\nFound: permissions=644',
      },
    ],
    references: [],
    remediation: 'chmod 600 /etc/kubernetes/admin.conf',
    tags: ['master', 'Kubernetes 1.29'],
    check: { benchmark: 'cis-1.8', key: '1.1.13' },
    identity: ['1.1.13', 'master'],
  });
  expect(manual).toMatchObject({ severity: 'info', toolSeverity: 'WARN', ruleId: '1.1.9' });
});

test('the list of earlier versions, and one part alone, give the same findings', async () => {
  const [failed] = await findings(json('kube-bench/report.json'));
  const list = json('kube-bench/list.json');
  expect(await findings(list)).toEqual([failed]);
  expect(await findings(list[0])).toEqual([failed]);
});

test('a control that a resource fails names both, the file, and what to change there', async () => {
  expect(await findings(json('kubescape/report.json'))).toEqual([
    {
      title: 'Linux hardening: apps/v1//Deployment/shop',
      severity: 'medium',
      toolSeverity: '4',
      ruleId: 'C-0055',
      cves: [],
      cwes: [],
      asset: null,
      location: { path: 'deploy/shop.yaml' },
      evidence: [
        {
          kind: 'text',
          content: 'spec.template.spec.containers[0].securityContext.seccompProfile = YOUR_VALUE',
        },
      ],
      references: ['https://hub.armosec.io/docs/c-0055'],
      tags: ['Workload'],
      identity: ['C-0055', 'apps/v1//Deployment/shop', 'deploy/shop.yaml'],
    },
  ]);
});

const scan = (controls: object[]) => ({
  ...json('kubescape/report.json'),
  results: [{ resourceID: 'apps/v1/web/Deployment/shop', controls }],
});

test('a control of the benchmark that a resource passes is reported, not one that passed by an exception or with nothing to check', async () => {
  const events = await reading(
    scan([
      { controlID: 'C-0193', name: 'privileged', status: { status: 'passed' } },
      { controlID: 'C-0041', name: 'host network', status: { status: 'failed' } },
      { controlID: 'C-0187', name: 'wildcards', status: { status: 'passed', subStatus: 'irrelevant' } },
      { controlID: 'C-0198', name: 'root', status: { status: 'passed', subStatus: 'w/exceptions' } },
      { controlID: 'C-0057', name: 'of no benchmark', status: { status: 'passed' } },
    ]),
  );
  expect(events.filter(({ kind }) => kind === 'passed')).toEqual([
    { kind: 'passed', check: { benchmark: 'cis-1.10', key: '5.2.2' }, asset: null },
  ]);
  expect(findingsOf(events)).toMatchObject([{ ruleId: 'C-0041', check: { benchmark: 'cis-1.10', key: '5.2.5' } }]);
});

test.each([
  ['1.5', 'cis-1.5'],
  ['cis-1.11', 'cis-1.11'],
  ['cis-1.12', 'cis-1.12'],
  ['1.8', undefined],
  ['eks-1.5.0', undefined],
])('kube-bench names its benchmark %s: %s', async (version, benchmark) => {
  const [part] = json('kube-bench/list.json');
  expect((await findings([{ ...part, version }])).map(({ check }) => check?.benchmark)).toEqual([benchmark]);
});

test('version 1 of the format names the same controls and objects, without those of an exception', async () => {
  expect(await findings(json('kubescape/v1.json'))).toMatchObject([
    {
      title: 'Linux hardening: apps/v1/web/Deployment/shop',
      severity: 'medium',
      evidence: [{ content: 'Deployment: shop does not limit its containers\nspec.template.spec.containers[0]' }],
      remediation: 'Set a seccomp profile.',
      identity: ['C-0055', 'apps/v1/web/Deployment/shop', ''],
    },
  ]);
});

test('a scan of the same files from another directory finds the same problems', async () => {
  const [before] = await findings(json('kubescape/report.json'));
  const moved = fixture('kubescape/report.json').toString().replaceAll('966824446', '12345');
  const [after] = findingsOf(await eventsOf('auto', moved));
  expect(after?.identity).toEqual(before?.identity);
});

test.each([
  [10, 'critical'],
  [8, 'high'],
  [6, 'medium'],
  [3, 'low'],
  [undefined, 'medium'],
])('a control with the score factor %s is %s', async (scoreFactor, expected) => {
  const report = json('kubescape/report.json');
  report.summaryDetails.controls['C-0055'].scoreFactor = scoreFactor;
  expect((await findings(report))[0]?.severity).toBe(expected);
});

describe('what closes findings', () => {
  test('a scan without a failure is clean', async () => {
    const kinds = async (report: unknown) => (await reading(report)).map(({ kind }) => kind);
    const bench = json('kube-bench/report.json');
    expect(await kinds({ ...bench, Controls: [{ ...bench.Controls[0], tests: null }] })).toEqual(['tool']);
    const scape = json('kubescape/report.json');
    expect(await kinds({ ...scape, resources: null, results: null })).toEqual(['tool', 'tool']);
    expect(await kinds({ ...scape, results: [{ ...scape.results[0], controls: [] }] })).toEqual(['tool', 'tool']);
  });
});

describe('a control whose rules alone have a status', () => {
  const rule = (status: string, more: object = {}) => ({ name: 'r', status, ...more });
  test.each<[string, object[], string[]]>([
    ['fails with one of them', [rule('passed'), rule('failed')], ['tool', 'finding', 'tool']],
    ['passes with all', [rule('passed')], ['tool', 'tool', 'passed']],
    ['passes by an exception', [rule('failed', { exception: [{ name: 'e' }] })], ['tool', 'tool']],
    ['is skipped', [rule('skipped')], ['tool', 'tool', 'incomplete']],
    ['is not judged without any', [], ['tool', 'tool', 'incomplete']],
    ['is not judged where one has none', [rule('passed'), { name: 'r' }], ['tool', 'tool', 'incomplete']],
  ])('%s', async (_name, rules, kinds) => {
    const events = await reading(scan([{ controlID: 'C-0193', name: 'privileged', rules }]));
    expect(events.map(({ kind }) => kind)).toEqual(kinds);
  });
});

test('a result of an unknown status is rejected, so that the report closes nothing', async () => {
  const results = ['PASS', 'INFO', 'ABORTED'].map((status) => ({ test_number: '1.1.1', status }));
  const events = await reading({ node_type: 'master', total_pass: 1, tests: [{ results }] });
  expect(events.map(({ kind }) => kind)).toEqual(['tool', 'rejected']);
});

test('the findings of controls that Kubescape skipped stay open, those of other controls close', async () => {
  const report = json('kubescape/report.json');
  const { controls } = report.summaryDetails;
  const [first, ...others] = Object.keys(controls);
  if (first === undefined) throw new Error('the sample has controls');
  controls[first] = {
    ...controls[first],
    status: 'skipped',
    statusInfo: { status: 'skipped', subStatus: 'configuration' },
  };
  const skipped = (await reading({ ...report, results: [] })).find(({ kind }) => kind === 'incomplete');
  expect(skipped).toMatchObject({ code: 'not_judged', count: 1, of: others.length + 1, partly: true, rules: [first] });
  const judges = (ruleId: string) => kubescape.wasLookedFor?.({ unjudged: [first] }, { location: '', ruleId });
  expect([judges(first), judges('C-0000')]).toEqual([false, true]);
});
