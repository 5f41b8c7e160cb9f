import { describe, expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';
import { problemsOf, sarif } from './two-formats.ts';

/* Tools whose JSON tells more of a problem's place than their SARIF, spelled here as these tools write it. */

const json = (name: string) => JSON.parse(fixture(name).toString());

/** Trivy's other problems of a tree: two buckets of one file with the same problem, a secret, and a license. */
const bucket = (id: string, name: string, line: number) => ({
  ID: id,
  Title: 'No log',
  Message: 'Bucket has no log',
  Severity: 'LOW',
  Status: 'FAIL',
  CauseMetadata: { Resource: `aws_s3_bucket.${name}`, StartLine: line, EndLine: line + 4 },
});
const treeWith = (id: string) => ({
  SchemaVersion: 2,
  ArtifactName: '.',
  ArtifactType: 'filesystem',
  Results: [
    { Target: 'infra/main.tf', Class: 'config', Misconfigurations: [bucket(id, 'a', 3), bucket(id, 'b', 12)] },
    { Target: 'dev.env', Class: 'secret', Secrets: [{ RuleID: 'github-pat', Title: 'GitHub', Match: 'T=***' }] },
    { Target: 'app/a.js', Class: 'license', Licenses: [{ Name: 'GPL-3.0', PkgName: 'left-pad', FilePath: '' }] },
  ],
});
const treeSarif = (id: string, named: string) => {
  const about = `Type: terraform\nVulnerability ${id}\nSeverity: LOW\nMessage: Bucket has no log\nLink: [${id}](https://example.test)`;
  const bucket = { rule: id, text: `Artifact: infra/main.tf\n${about}`, file: 'infra/main.tf' };
  const text = 'Artifact: dev.env\nType: \nSecret GitHub\nSeverity: CRITICAL\nMatch: T=***';
  return sarif('Trivy', [
    { ...bucket, line: 3 },
    { ...bucket, line: 12 },
    { rule: 'github-pat', text, file: 'dev.env', line: 1 },
    { rule: 'left-pad:GPL-3.0', text: `Artifact: \nLicense GPL-3.0\n${named}\n Path: `, file: 'app/a.js', line: 1 },
  ]);
};

/** Snyk's project of a lock file, and of a file of settings. */
const project = json('snyk/all-projects.json')[0];
const introduces = (name: string, severity: string) =>
  `This file introduces a vulnerable ${name} package with a ${severity} severity vulnerability.`;
const setting = (line: number, message: string) => ({
  id: 'SNYK-CC-TF-1',
  title: 'Public',
  severity: 'high',
  isIgnored: false,
  iacDescription: {},
  lineNumber: line,
  msg: message,
});

test.each<[string, object, object]>([
  [
    "Trivy's checks, secrets and licenses",
    treeWith('AWS-0089'),
    treeSarif('AWS-0089', 'PkgName: left-pad\n Classification: restricted'),
  ],
  [
    'Trivy by the former name of its check, and a label in the wrong place',
    treeWith('DS002'),
    treeSarif('DS-0002', 'PkgName: restricted\n Classification: left-pad'),
  ],
  [
    'Snyk',
    { ...project, vulnerabilities: project.vulnerabilities.slice(0, 1) },
    sarif('Snyk Open Source', [
      { rule: 'SNYK-JS-QUICKFORM-9001', text: introduces('quickform', 'high'), file: 'web/package.json', line: 1 },
    ]),
  ],
  [
    "Snyk's settings",
    {
      vulnerabilities: [],
      org: 'o',
      projectName: 'infra',
      targetFile: 'infra/main.tf',
      ok: false,
      infrastructureAsCodeIssues: [setting(7, 'a.acl'), setting(31, 'b.acl')],
    },
    sarif(
      'Snyk IaC',
      [7, 31].map((line) => ({
        rule: 'SNYK-CC-TF-1',
        text: 'This line contains a potential high severity misconfiguration affecting the S3',
        file: 'infra/main.tf',
        line,
      })),
    ),
  ],
])('a problem of %s is the same one in its JSON and in its SARIF', async (_, own, other) => {
  const problems = await problemsOf(own);
  expect(problems.length).toBeGreaterThan(0);
  expect(await problemsOf(other)).toEqual(problems);
});

/** Two vulnerable calls of one line, which differ in their columns alone. */
const columns = [3, 30];
const twice = (region: (column: number) => object) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Bandit' } },
      results: columns.map((column) => ({
        ruleId: 'B303',
        message: { text: 'weak hash' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'a.py' }, region: region(column) } }],
      })),
    },
  ],
});

test('two problems of one line are the same two in both formats', async () => {
  const snippet = { text: 'f(md5(a), md5(b))' };
  const found = await problemsOf(twice((column) => ({ startLine: 9, startColumn: column, snippet })));
  const bandit = {
    errors: [],
    metrics: {},
    results: columns.map((column) => ({
      code: '9 f(md5(a), md5(b))\n',
      col_offset: column - 1,
      filename: './a.py',
      issue_severity: 'HIGH',
      issue_text: 'weak hash',
      line_number: 9,
      line_range: [9],
      test_id: 'B303',
    })),
  };
  expect(new Set(found.map(({ identity }) => identity.join(' '))).size).toBe(2);
  expect(await problemsOf(bandit)).toEqual(found);
});

test('Grype names the image in its SARIF, too', async () => {
  const own = {
    source: { type: 'image', target: { userInput: 'registry:shop:1.4', tags: [] } },
    descriptor: { name: 'grype' },
    matches: [
      {
        vulnerability: { id: 'CVE-2024-1111', severity: 'High', fix: { versions: [], state: 'unknown' } },
        relatedVulnerabilities: [],
        matchDetails: [],
        artifact: { name: 'form', version: '2.1.0', type: 'npm', locations: [{ path: '/app/package.json' }] },
      },
    ],
  };
  const text =
    'A high vulnerability in npm package: form, version 2.1.0 was found in image registry:shop:1.4 at: /app/package.json';
  const other = sarif('Grype', [{ rule: 'CVE-2024-1111-form', text, file: 'shop/app/package.json', line: 1 }]);
  const problems = await problemsOf(own);
  expect(problems).toMatchObject([{ asset: { type: 'container_image', value: 'shop:1.4' } }]);
  expect(await problemsOf(other)).toEqual(problems);
});

describe('govulncheck', () => {
  const config = { config: { protocol_version: 'v1.0.0', scanner_name: 'govulncheck' } };
  const finding = (trace: object[]) => ({ finding: { osv: 'GO-2026-1', trace } });
  const jsonOf = (...messages: object[]) =>
    eventsOf('govulncheck', [config, ...messages].map((message) => JSON.stringify(message)).join('\n'));
  const sarifOf = (text: string, stacks: object[] = []) => {
    const log = sarif('govulncheck', [{ rule: 'GO-2026-1', text, file: 'go.mod', line: 1 }]);
    const rules = [{ id: 'GO-2026-1', fullDescription: { text: 'It hangs' }, properties: { tags: ['CVE-2026-1234'] } }];
    const runs = log.runs.map(({ results }) => ({
      tool: { driver: { name: 'govulncheck', rules } },
      results: results.map((result) => ({ ...result, stacks })),
    }));
    return eventsOf('auto', JSON.stringify({ ...log, runs }));
  };
  const identities = (events: Awaited<ReturnType<typeof eventsOf>>) =>
    findingsOf(events).map(({ identity }) => identity);

  test('a called function is a problem of its module, with its version, CVE and place', async () => {
    const frame = (module: string, uri: string, line: number) => ({
      module,
      location: { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } },
    });
    const frames = [frame('example.test/shop@', 'main.go', 9), frame('golang.org/x/net@v0.1.0', 'http2/server.go', 40)];
    const text = 'Your code calls vulnerable functions in 1 package (golang.org/x/net/http2).';
    const read = await sarifOf(text, [{ frames }]);
    expect(findingsOf(read)).toMatchObject([
      {
        title: 'GO-2026-1 in golang.org/x/net v0.1.0: It hangs',
        cves: ['CVE-2026-1234'],
        component: { name: 'golang.org/x/net', version: 'v0.1.0', purl: 'pkg:golang/golang.org/x/net@v0.1.0' },
        location: { path: 'main.go', line: 9 },
        tags: ['called', 'CVE-2026-1234'],
      },
    ]);
    const own = await jsonOf(finding([{ module: 'golang.org/x/net', version: 'v0.1.0', function: 'f' }]));
    expect(identities(read)).toEqual(identities(own));
  });

  test.each([
    ['calls vulnerable functions in 1 package (golang.org/x/net/http2).', ['golang.org/x/net']],
    [
      'imports 2 vulnerable packages (crypto/tls and github.com/acme/kit/v2/a), but doesn’t',
      ['stdlib', 'github.com/acme/kit/v2'],
    ],
    [
      'imports 3 vulnerable packages (gopkg.in/yaml.v2, k8s.io/client-go/rest, and cmd/go)',
      ['gopkg.in/yaml.v2', 'k8s.io/client-go', 'toolchain'],
    ],
    ['depends on 2 vulnerable modules (example.test/a/b and stdlib), but', ['example.test/a/b', 'stdlib']],
  ])('a result that only %s is of the modules %o', async (text, modules) => {
    const own = await jsonOf(...modules.map((module) => finding([{ module }])));
    expect(identities(await sarifOf(`Your code ${text}`))).toEqual(identities(own));
  });
});
