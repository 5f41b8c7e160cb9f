import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, withoutTexts } from './reading.ts';
import { problemsOf, sarif } from './two-formats.ts';

/*
 * A team that changes from a tool's own JSON to its SARIF, or sends both, must not find each problem twice. The SARIF of
 * Hadolint, Brakeman and Checkov is spelled here as these tools write it.
 */
const json = (name: string) => JSON.parse(fixture(name).toString());

const shellTrue = (line: number) => ({
  check_id: 'python.lang.security.audit.subprocess-shell-true.subprocess-shell-true',
  path: 'app/views.py',
  start: { line, col: 5 },
  end: { line, col: 40 },
  extra: {
    message: "Found 'subprocess' function 'call' with 'shell=True'. This is dangerous because it spawns a shell.",
    severity: 'ERROR',
    fingerprint: 'requires login',
    lines: '    return subprocess.call(cmd, shell=True)',
    metadata: {},
  },
});

/** Without a login Semgrep keeps the flagged line in its JSON, too. */
const hiding = (result: ReturnType<typeof shellTrue>) => ({
  ...result,
  extra: { ...result.extra, lines: 'requires login' },
});

type TrivyResult = { Target: string; Class: string; Vulnerabilities: Record<string, string>[] };

/** Trivy's image with a package of the operating system, and two versions of one in a lock file. */
const image = json('trivy/image.json');
const trivySarif = () => {
  const results = image.Results.flatMap(({ Target, Class, Vulnerabilities }: TrivyResult) =>
    Vulnerabilities.map((one) => ({
      rule: one.VulnerabilityID ?? '',
      text: `Package: ${one.PkgName}\nInstalled Version: ${one.InstalledVersion}\nVulnerability ${one.VulnerabilityID}\nSeverity: ${one.Severity}\nFixed Version: ${one.FixedVersion ?? ''}\nLink: [a](b)`,
      file: Class === 'os-pkgs' ? 'shop' : Target,
      line: 1,
    })),
  );
  const { runs, ...log } = sarif('Trivy', results);
  return { ...log, runs: runs.map((run) => ({ ...run, properties: { imageName: image.ArtifactName } })) };
};
const withoutLicenses = {
  ...image,
  Results: image.Results.map(({ Licenses: _, ...result }: Record<string, unknown>) => result),
};

const [warning] = json('brakeman/report.json').warnings;
const [check] = json('checkov/report.json').results.failed_checks;

test('the SARIF of Gitleaks shows no secret', async () => {
  const leak = { rule: 'r', text: 'm', file: 'a.env', line: 1, snippet: 'k3y-EXAMPLE-0011223344556677' };
  const events = await eventsOf('auto', JSON.stringify(sarif('gitleaks', [leak])));
  expect(events).toMatchObject([{ kind: 'tool' }, { finding: { location: { path: 'a.env', snippet: 'k3****77' } } }]);
  expect(withoutTexts(events)).not.toContain('EXAMPLE');
});

test.each<[string, string | object, string | object]>([
  ['Bandit', 'bandit/report.json', 'sarif/bandit.sarif'],
  ['gosec', 'gosec/report.json', 'sarif/gosec.sarif'],
  [
    'Semgrep',
    { version: '1.90.0', results: [shellTrue(21), shellTrue(57)], errors: [], engine_requested: 'OSS' },
    'sarif/semgrep.sarif',
  ],
  [
    'Semgrep without a login',
    {
      version: '1.120.0',
      results: [21, 57].map((line) => hiding(shellTrue(line))),
      errors: [],
      engine_requested: 'OSS',
    },
    'sarif/semgrep.sarif',
  ],
  ['Trivy', withoutLicenses, trivySarif()],
  [
    'Grype',
    {
      source: { type: 'directory', target: '.' },
      descriptor: { name: 'grype' },
      matches: ['2.1.0', '2.2.0'].map((version) => ({
        vulnerability: { id: 'GHSA-aaaa-bbbb-cccc', severity: 'High', fix: { versions: [], state: 'unknown' } },
        relatedVulnerabilities: [],
        matchDetails: [],
        artifact: { name: '@scope/form', version, type: 'npm', locations: [{ path: '/package-lock.json' }] },
      })),
    },
    sarif(
      'Grype',
      ['2.1.0', '2.2.0'].map((version) => ({
        rule: 'GHSA-aaaa-bbbb-cccc-@scope/form',
        text: `A high vulnerability in npm package: @scope/form, version ${version} was found at: /package-lock.json`,
        file: '/package-lock.json',
        line: 1,
      })),
    ),
  ],
  [
    'OSV-Scanner',
    {
      results: [
        {
          source: { path: '/home/runner/work/shop/shop/package-lock.json', type: 'lockfile' },
          packages: [
            {
              package: { name: '@scope/form', version: '2.1.0', ecosystem: 'npm' },
              vulnerabilities: [{ id: 'GHSA-aaaa-bbbb-cccc', aliases: ['CVE-2024-1111'] }],
              groups: [{ ids: ['GHSA-aaaa-bbbb-cccc'], aliases: ['CVE-2024-1111', 'GHSA-aaaa-bbbb-cccc'] }],
            },
          ],
        },
      ],
    },
    sarif('osv-scanner', [
      {
        rule: 'CVE-2024-1111',
        text: "Package '@scope/form@2.1.0' is vulnerable to 'CVE-2024-1111' (also known as 'GHSA-aaaa-bbbb-cccc').",
        file: 'file:///home/runner/work/shop/shop/package-lock.json',
        line: 1,
      },
    ]),
  ],
  [
    'Gitleaks',
    'gitleaks/v8.json',
    sarif(
      'gitleaks',
      json('gitleaks/v8.json').map((leak: Record<string, never>) => ({
        rule: leak.RuleID,
        text: `${leak.RuleID} has detected secret for file ${leak.File} at commit ${leak.Commit}.`,
        file: leak.File,
        line: leak.StartLine,
        snippet: leak.Secret,
      })),
    ),
  ],
  [
    'Hadolint',
    'hadolint/report.json',
    sarif(
      'Hadolint',
      json('hadolint/report.json').map(({ code: rule, message: text, file, line }: Record<string, never>) => ({
        rule,
        text,
        file,
        line,
      })),
    ),
  ],
  [
    'Brakeman',
    'brakeman/report.json',
    sarif('Brakeman', [{ rule: 'BRAKE0015', text: `${warning.message}.`, file: warning.file, line: warning.line }]),
  ],
  [
    'Checkov',
    'checkov/report.json',
    sarif('Checkov', [
      {
        rule: check.check_id,
        text: check.check_name,
        file: 'infra/db.tf',
        line: 1,
        snippet: check.code_block.map(([, text]: [number, string]) => text).join(''),
      },
    ]),
  ],
])('a problem of %s is the same one in its JSON and in its SARIF', async (_, own, other) => {
  const problems = await problemsOf(own);
  expect(problems.length).toBeGreaterThan(0);
  expect(await problemsOf(other)).toEqual(problems);
});
