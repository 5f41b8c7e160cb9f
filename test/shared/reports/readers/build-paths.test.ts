import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { problemsOf, sarif } from './two-formats.ts';

/* The scan of a laptop and that of a build machine, whose paths are absolute, give one finding in each format. */

const FILE = 'src/app.tf';
const json = (name: string) => JSON.parse(fixture(name).toString());

/** A small report of each tool, whose problem is in this file. */
const reports: Record<string, (path: string) => object> = {
  SARIF: (path) => sarif('demo', [{ rule: 'r', text: 'm', file: path, line: 3 }]),
  Bandit: (path) => ({
    ...json('bandit/report.json'),
    results: [{ ...json('bandit/report.json').results[0], filename: path }],
  }),
  Hadolint: (path) => [{ ...json('hadolint/report.json')[0], file: path }],
  Brakeman: (path) => ({
    ...json('brakeman/report.json'),
    warnings: [{ ...json('brakeman/report.json').warnings[0], file: path }],
  }),
  Checkov: (path) => ({
    check_type: 'terraform',
    results: { failed_checks: [{ ...json('checkov/report.json').results.failed_checks[0], repo_file_path: path }] },
  }),
  Semgrep: (path) => ({
    version: '1.90.0',
    results: [
      {
        check_id: 'r',
        path,
        start: { line: 1, col: 1 },
        end: { line: 1, col: 9 },
        extra: { lines: 'x', message: 'm' },
      },
    ],
    errors: [],
  }),
  GitLab: (path) => ({
    version: '15.0.0',
    scan: { type: 'sast', scanner: { id: 's', name: 's' } },
    vulnerabilities: [
      {
        id: '1',
        name: 'n',
        severity: 'High',
        identifiers: [{ type: 't', name: 't', value: 't' }],
        location: { file: path },
      },
    ],
  }),
  Trivy: (path) => ({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [
      { Target: path, Class: 'config', Misconfigurations: [{ ID: 'AVD-AWS-0086', Message: 'm', Status: 'FAIL' }] },
    ],
  }),
  trufflehog3: (path) => [
    { rule: { id: 'r', message: 'm', severity: 'HIGH' }, path, line: '3', secret: 'k3y-EXAMPLE-0011223344556677' },
  ],
  'the generic report': (path) => ({ findings: [{ title: 't', severity: 'high', location: { path, line: 3 } }] }),
};

test.each(Object.entries(reports))('%s finds the same problem on a laptop and in a pipeline', async (_tool, report) => {
  const here = await problemsOf(report(FILE));
  expect(here).toHaveLength(1);
  expect(await problemsOf(report(`/github/workspace/${FILE}`))).toEqual(here);
});

test('a directory of an image is no checkout', async () => {
  const image = { ...reports.Trivy?.('/app/main.tf'), ArtifactType: 'container_image', ArtifactName: 'shop:1' };
  const [found] = await problemsOf(image);
  expect(found?.identity).toContain('/app/main.tf');
});
