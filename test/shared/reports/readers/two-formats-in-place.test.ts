import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
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
