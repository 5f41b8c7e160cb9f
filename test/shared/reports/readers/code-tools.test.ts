import { describe, expect, test } from 'vitest';
import { pathInTree } from '#shared/reports/readers/text.ts';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

/** Tools that look at source code: Bandit, gosec, Brakeman, Hadolint, Checkov. */
const json = (name: string) => JSON.parse(fixture(name).toString());
const reading = (report: unknown) => eventsOf('auto', JSON.stringify(report));
const findings = async (report: unknown) => findingsOf(await reading(report));
const kinds = async (report: unknown) => (await reading(report)).map(({ kind }) => kind);

test('a problem that Bandit finds keeps its test, severity, weakness and code', async () => {
  const [first] = await findings(json('bandit/report.json'));
  expect(first).toEqual({
    title: 'subprocess call with shell=True identified, security issue',
    description: 'subprocess call with shell=True identified, security issue.',
    severity: 'high',
    toolSeverity: 'HIGH',
    ruleId: 'B602',
    cves: [],
    cwes: ['CWE-78'],
    asset: null,
    location: {
      path: 'app/run.py',
      line: 6,
      snippet: 'def run(cmd):\n    return subprocess.call(cmd, shell=True)\n',
    },
    evidence: [],
    references: [
      'https://bandit.readthedocs.io/en/1.9.4/plugins/b602_subprocess_popen_with_shell_equals_true.html',
      'https://cwe.mitre.org/data/definitions/78.html',
    ],
    tags: ['subprocess_popen_with_shell_equals_true', 'HIGH CONFIDENCE'],
    identity: ['B602', 'app/run.py', 'snippet:return subprocess.call(cmd, shell=True)'],
  });
});

test('a field that is no word is no reason to give the report up, whatever members it has', async () => {
  const report = json('gosec/report.json');
  report.Issues[0].line = { toString: 1 };
  expect((await findings(report))[0]?.location.line).toBeUndefined();
});

test('a problem of gosec is in the tree, not in the directory of the build machine', async () => {
  const events = await reading(json('gosec/report.json'));
  expect(events[0]).toEqual({ kind: 'tool', name: 'gosec', version: '2.21.4' });
  expect(findingsOf(events)[0]).toMatchObject({
    title: 'TLS InsecureSkipVerify set true.',
    severity: 'high',
    ruleId: 'G402',
    cwes: ['CWE-295'],
    location: { path: 'cmd/main.go', line: 41, snippet: 'tls.Config{InsecureSkipVerify: true}' },
    references: ['https://cwe.mitre.org/data/definitions/295.html'],
  });
  expect((await findings(json('gosec/old.json')))[0]).toMatchObject({
    severity: 'low',
    location: { path: 'app.go', line: 79, snippet: 's.ListenAndServe()' },
  });
});

test('a warning of Brakeman names its type, input and way, and ignored ones do not come up', async () => {
  const [first, ...others] = await findings(json('brakeman/report.json'));
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    title: 'Dynamic Render Path: Render path contains parameter value',
    severity: 'low',
    toolSeverity: 'Weak',
    ruleId: 'BRAKE0015',
    cwes: ['CWE-22'],
    location: { path: 'app/views/orders/show.html.erb', line: 25 },
    evidence: [
      {
        kind: 'text',
        content: 'User input: params[:id]\napp/controllers/orders_controller.rb:63 OrdersController#show',
      },
    ],
    tags: ['Render'],
  });
});

test('a rule of Hadolint says where it is explained', async () => {
  expect(await findings(json('hadolint/report.json'))).toMatchObject([
    {
      title: 'Pin versions in apt get install',
      severity: 'medium',
      ruleId: 'DL3008',
      location: { path: 'docker/Dockerfile', line: 9 },
      references: ['https://github.com/hadolint/hadolint/wiki/DL3008'],
    },
    { severity: 'low', ruleId: 'SC2086', references: ['https://www.shellcheck.net/wiki/SC2086'] },
  ]);
});

test('a failed check of Checkov names its resource, and skipped ones do not come up', async () => {
  const [first, ...others] = await findings(json('checkov/report.json'));
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    title: 'Ensure all data stored in the RDS is securely encrypted at rest: aws_db_instance.orders',
    severity: 'high',
    toolSeverity: 'HIGH',
    ruleId: 'CKV_AWS_16',
    location: { path: 'infra/db.tf', line: 1 },
    evidence: [{ kind: 'text', content: 'Decided by storage_encrypted' }],
    references: ['https://docs.example.test/general-4'],
    tags: ['terraform'],
  });
});

test('checks of Checkov that ask for a control of a benchmark say so, failed and passed, skipped ones not', async () => {
  const report = json('checkov/report.json');
  const passed = (check_id: string) => ({ check_id, check_result: { result: 'PASSED' }, resource: 'aws_vpc.one' });
  report.results.passed_checks = ['CKV2_AWS_11', 'CKV2_AWS_11', 'CKV_AWS_23'].map(passed);
  const events = await eventsOf('checkov', JSON.stringify([report]));
  expect(findingsOf(events).map(({ check }) => check)).toEqual([{ benchmark: 'aws-3.0', key: '2.3.1' }]);
  expect(events.filter(({ kind }) => kind === 'passed')).toEqual([
    { kind: 'passed', check: { benchmark: 'aws-3.0', key: '3.7' }, asset: null },
  ]);
});

test('Checkov finds secrets, whose code is not shown, and vulnerable packages', async () => {
  const [secret, vulnerability] = await findings(json('checkov/several.json'));
  expect(secret).toMatchObject({ title: 'AWS Access Key: app.cfg', severity: 'medium', location: { line: 4 } });
  expect(secret?.location.snippet).toBeUndefined();
  expect(vulnerability).toMatchObject({
    title: 'CVE-2024-10003 in webkit 1.2.3',
    severity: 'critical',
    cvssScore: 9.8,
    cves: ['CVE-2024-10003'],
    component: { name: 'webkit', version: '1.2.3', fixedVersions: ['1.2.4'] },
    identity: ['CVE-2024-10003', 'webkit', 'requirements.txt'],
  });
});

describe('identity', () => {
  const moved = {
    'bandit/report.json': (report: ReturnType<typeof json>) => {
      for (const result of report.results) {
        result.code = result.code.replace(/^\d+/gm, (line: string) => Number(line) + 40);
        result.line_number += 40;
        result.line_range = [result.line_number];
      }
    },
    'gosec/report.json': (report: ReturnType<typeof json>) => {
      report.Issues[0].line = '141';
      report.Issues[0].code = '140: \tconfig := &\n141: \t\ttls.Config{InsecureSkipVerify: true}\n142: \tclose()\n';
    },
    'brakeman/report.json': (report: ReturnType<typeof json>) => {
      report.warnings[0].line = 125;
    },
    'hadolint/report.json': (report: ReturnType<typeof json>) => {
      for (const entry of report) entry.line += 40;
    },
    'checkov/report.json': (report: ReturnType<typeof json>) => {
      const [check] = report.results.failed_checks;
      check.file_line_range = [101, 103];
      check.code_block = check.code_block.map(([line, text]: [number, string]) => [line + 100, text]);
    },
  };

  test.each(Object.entries(moved))('lines that moved in %s leave each problem what it was', async (name, move) => {
    const before = await findings(json(name));
    const report = json(name);
    move(report);
    const after = await findings(report);
    expect(after.map(({ identity }) => identity)).toEqual(before.map(({ identity }) => identity));
    expect(after[0]?.location.line).not.toBe(before[0]?.location.line);
  });
});

describe('what closes findings', () => {
  test.each([
    ['Bandit', { ...json('bandit/report.json'), results: [] }],
    ['gosec', { 'Golang errors': {}, Issues: null, Stats: { files: 1, found: 0 }, GosecVersion: 'dev' }],
    ['Brakeman', { ...json('brakeman/report.json'), warnings: [] }],
    ['Checkov', { passed: 0, failed: 0, skipped: 0, parsing_errors: 0, resource_count: 0, checkov_version: '3.2.1' }],
  ])('%s says that it found nothing', async (_, report) => {
    expect(await kinds(report)).toEqual(['tool']);
  });

  test('an empty list of Hadolint is a clean scan', async () => {
    expect(await eventsOf('hadolint', '[]')).toEqual([{ kind: 'tool', name: 'Hadolint' }]);
  });

  const check = json('checkov/report.json');
  test.each([
    ['Bandit', { ...json('bandit/report.json'), errors: [{ filename: 'old.py', reason: 'syntax error' }] }],
    ['gosec', { ...json('gosec/report.json'), 'Golang errors': { 'a.go': [{ line: 1, column: 1, error: 'no' }] } }],
    ['Brakeman', { ...json('brakeman/report.json'), errors: [{ error: 'parse error', location: 'a.rb' }] }],
    ['Hadolint', [{ code: 'DL1000', column: 1, file: 'Dockerfile', level: 'error', line: 1, message: 'unexpected' }]],
    ['Checkov', { ...check, results: { ...check.results, parsing_errors: ['/broken.tf'] } }],
  ])('%s that could not read a file closes nothing', async (_, report) => {
    expect(await kinds(report)).toContain('incomplete');
    expect(await kinds(report)).not.toContain('rejected');
  });

  test('what a comment in Go code suppresses does not come up', async () => {
    const report = json('gosec/report.json');
    report.Issues[0].suppressions = [{ kind: 'inSource', justification: 'test server' }];
    expect(await kinds(report)).toEqual(['tool']);
  });
});

test.each([
  ['/github/workspace/cmd/a.go', 'cmd/a.go'],
  ['/builds/team/shop/a.go', 'a.go'],
  ['/var/jenkins_home/workspace/shop/a.go', 'a.go'],
  ['/home/ada/go/src/git.example.test/ada/shop/a.go', 'a.go'],
  ['./cmd/a.go', 'cmd/a.go'],
  ['/home/runner/work/shop/shop/src/a.go', 'src/a.go'],
  ['/Users/runner/work/1/s/src/a.go', 'src/a.go'],
  ['/home/vsts/work/1/s/src/a.go', 'src/a.go'],
  ['D:\\a\\shop\\shop\\src\\A.cs', 'src/A.cs'],
  ['file:///D:/a/shop/shop/src/A.cs', 'src/A.cs'],
  ['file:///d%3A/a/1/s/src/my%20a.cs', 'src/my a.cs'],
  ['file:///D:/other/a.cs', 'D:/other/a.cs'],
  ['file://localhost/builds/team/shop/a.go', 'a.go'],
  ['/home/ci/actions-runner/_work/shop/shop/a.go', 'a.go'],
  ['C:\\agent\\_work\\1\\s\\a.cs', 'a.cs'],
  ['/builds/x7Yz_12a/0/team/shop/a.go', 'a.go'],
  ['/home/gitlab-runner/builds/x7Yz_12a/0/team/shop/a.go', 'a.go'],
  ['/home/jenkins/agent/workspace/shop_main@2/a.go', 'a.go'],
  ['C:\\ProgramData\\Jenkins\\.jenkins\\workspace\\shop\\a.cs', 'a.cs'],
  ['/opt/buildagent/work/1a2b3c4d5e6f7a8b/a.go', 'a.go'],
  ['/codebuild/output/src12/src/github.com/acme/shop/a.go', 'a.go'],
  ['/codebuild/output/src12/src/cmd/a.go', 'cmd/a.go'],
  ['/home/travis/build/acme/shop/a.go', 'a.go'],
  ['/drone/src/a.go', 'a.go'],
  ['/workspaces/shop/a.go', 'a.go'],
  ['/home/ada/shop/a.go', '/home/ada/shop/a.go'],
  ['src/app/a.go', 'src/app/a.go'],
])('the path of %s in its tree is %s', (path, expected) => {
  expect(pathInTree(path)).toBe(expected);
});
