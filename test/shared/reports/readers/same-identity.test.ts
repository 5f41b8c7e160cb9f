import { expect, test } from 'vitest';
import { eventsOf, findingsOf } from './reading.ts';

/*
 * Two problems that one identity describes are told apart by their resource, column or message; else mending one would
 * hide the other. The same result twice is one problem.
 */

const checkov = (check: object) => ({
  check_type: 'terraform_plan',
  results: {
    failed_checks: [check].flat().map((one) => ({
      check_id: 'CKV_AWS_18',
      check_name: 'Ensure the bucket has access logging',
      file_path: '/plan.json',
      file_line_range: [0, 0],
      ...one,
    })),
  },
});

const trivy = (list: string, entries: object[]) => ({
  SchemaVersion: 2,
  ArtifactName: '.',
  ArtifactType: 'filesystem',
  Results: [{ Target: 'plan.json', Class: 'config', [list]: entries }],
});
const trivyCheck = (Resource: string) => ({ ID: 'AWS-0086', Status: 'FAIL', CauseMetadata: { Resource } });

const prowler = (detail: string) => ({
  metadata: { event_code: 'iam_rotate_access_key_90_days', product: { name: 'Prowler', vendor_name: 'Prowler' } },
  class_uid: 2004,
  finding_info: { title: 'Access keys are rotated', uid: 'prowler-aws-1' },
  status_code: 'FAIL',
  status_detail: detail,
  resources: [{ uid: 'arn:aws:iam::111122223333:user/ann', name: 'ann', region: 'us-east-1' }],
  cloud: { account: { uid: '111122223333' } },
});

const semgrep = (col: number) => ({
  check_id: 'rules.weak-hash',
  path: 'app.py',
  start: { line: 3, col },
  end: { line: 3, col: col + 9 },
  extra: { message: 'Weak hash.', severity: 'WARNING', lines: 'a = md5(b) + md5(c)' },
});

const bandit = (column: number) => ({
  test_id: 'B303',
  filename: 'app.py',
  issue_text: 'Use of weak MD5 hash.',
  issue_severity: 'MEDIUM',
  line_number: 3,
  line_range: [3],
  col_offset: column,
  code: '3 a = md5(b) + md5(c)\n',
});

const gitlab = (start_column: number) => ({
  identifiers: [{ type: 'semgrep_id', name: 'weak-hash', value: 'weak-hash' }],
  name: 'Weak hash',
  location: { file: 'app.py', start_line: 3, start_column },
});

const snyk = (msg: string) => ({ id: 'SNYK-CC-TF-4', title: 'Public bucket', lineNumber: -1, msg });

const gosec = (column: string) => ({
  rule_id: 'G401',
  details: 'Weak hash',
  severity: 'MEDIUM',
  file: 'main.go',
  line: '3',
  column,
  code: '3: a := md5.Sum(b)',
});
const hadolint = (column: number) => ({
  code: 'SC2086',
  message: 'Quote.',
  level: 'info',
  file: 'Dockerfile',
  line: 3,
  column,
});
const brakeman = (fingerprint: string) => ({
  warning_code: 0,
  message: 'Possible SQL injection',
  file: 'app/models/user.rb',
  line: 3,
  fingerprint,
});
const sonarqube = (key: string) => ({
  key,
  rule: 'python:S4790',
  component: 'shop:app.py',
  project: 'shop',
  message: 'Weak.',
  line: 3,
});
const codeScanning = (number: number) => ({
  number,
  state: 'open',
  rule: { id: 'py/weak-hash' },
  most_recent_instance: { location: { path: 'app.py', start_line: 3 }, message: { text: 'Weak.' } },
});

const kubescape = (resource: string) => ({
  resourceID: resource,
  controls: [{ controlID: 'C-0055', name: 'Linux hardening', status: { status: 'failed' } }],
});
const account = (namespace: string) => ({ alertObject: { externalObjects: { name: 'default', namespace } } });
const kubeBench = (actual_value: string) => ({
  test_number: '4.1.1',
  test_desc: 'permissions',
  status: 'FAIL',
  actual_value,
});

const ocsf = (message: string) => ({
  class_uid: 2003,
  metadata: { product: { name: 'Cloud Checks' } },
  finding_info: { title: 'A port is open to the world' },
  message,
  resources: [{ uid: 'sg-1' }],
});
const generic = (title: string) => ({ title, severity: 'high', ruleId: 'R1', path: 'app.py' });

test.each<[string, string, (first: boolean) => object, (entries: object[]) => unknown]>([
  [
    'Checkov, resources of a plan',
    'checkov',
    (f) => ({ resource: f ? 'aws_s3_bucket.a' : 'aws_s3_bucket.b' }),
    checkov,
  ],
  ['Trivy, resources of a plan', 'trivy', (f) => trivyCheck(f ? 'a' : 'b'), (all) => trivy('Misconfigurations', all)],
  [
    'Trivy, secrets of a line',
    'trivy',
    (f) => ({ RuleID: 'aws-access-key-id', StartLine: 3, Match: 'A=*** B=***', Offset: f ? 10 : 20 }),
    (all) => trivy('Secrets', all),
  ],
  ['Prowler, keys of a user', 'prowler', (f) => prowler(`User ann has key ${f ? 1 : 2} since 91 days.`), (all) => all],
  [
    'Semgrep, columns',
    'semgrep',
    (f) => semgrep(f ? 5 : 14),
    (results) => ({ results, errors: [], version: '1.90.0' }),
  ],
  ['Bandit, columns', 'bandit', (f) => bandit(f ? 4 : 13), (results) => ({ errors: [], results })],
  [
    'GitLab, columns',
    'gitlab',
    (f) => gitlab(f ? 5 : 14),
    (vulnerabilities) => ({ version: '15.0.0', vulnerabilities }),
  ],
  [
    'Snyk, settings',
    'snyk',
    (f) => snyk(f ? 'a.acl' : 'b.acl'),
    (all) => ({ infrastructureAsCodeIssues: all, targetFile: 'm.tf' }),
  ],
  ['gosec, columns', 'gosec', (f) => gosec(f ? '6' : '20'), (Issues) => ({ Issues, Stats: {} })],
  ['Hadolint, columns', 'hadolint', (f) => hadolint(f ? 6 : 20), (all) => all],
  [
    'Brakeman, warnings',
    'brakeman',
    (f) => brakeman(f ? 'aa' : 'bb'),
    (warnings) => ({ scan_info: {}, warnings, errors: [] }),
  ],
  ['SonarQube, issues', 'sonarqube', (f) => sonarqube(f ? 'AX1' : 'AX2'), (issues) => ({ issues })],
  ['GitHub, alerts', 'github-alerts', (f) => codeScanning(f ? 7 : 8), (all) => all],
  [
    'Kubescape, files of a name',
    'kubescape',
    (f) => kubescape(`path=${f ? 111 : 222}/api=apps/v1//Deployment/shop`),
    (results) => ({ summaryDetails: {}, results, resources: [] }),
  ],
  [
    'Kubescape 1, accounts of a name',
    'kubescape',
    (f) => account(f ? 'shop' : 'web'),
    (ruleResponses) => [{ controlReports: [{ controlID: 'C-0015', ruleReports: [{ ruleResponses }] }] }],
  ],
  [
    'kube-bench, nodes',
    'kube-bench',
    (f) => kubeBench(f ? '644' : '777'),
    (results) => ({ node_type: 'node', total_fail: 1, tests: [{ results }] }),
  ],
  ['OCSF, messages', 'ocsf', (f) => ocsf(f ? 'port 22' : 'port 3389'), (all) => all],
  [
    'the generic report, titles',
    'generic',
    (f) => generic(f ? 'Weak hash' : 'Weak cipher'),
    (findings) => ({ findings }),
  ],
])(
  '%s: two are two problems, the same twice is one, and one alone has its identity',
  async (_name, format, entry, report) => {
    const identities = async (...entries: object[]) =>
      findingsOf(await eventsOf(format, JSON.stringify(report(entries)))).map(({ identity }) => identity);
    const [alone = []] = await identities(entry(true));
    expect(await identities(entry(false))).toEqual([alone]);
    expect(await identities(entry(true), entry(false))).toEqual([alone, [...alone, '.2']]);
    expect(await identities(entry(true), entry(true))).toEqual([alone, alone]);
  },
);
