import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

const projects = JSON.parse(fixture('snyk/all-projects.json').toString());
const read = async (text: string | Buffer) => findingsOf(await eventsOf('snyk', text));

test('an issue keeps its ids, score, upgrade, ways in and file; its second way is the same finding', async () => {
  const [first, second, ...others] = await read(JSON.stringify(projects));
  expect(first).toEqual({
    title: 'SNYK-JS-QUICKFORM-9001 in quickform 2.1.0: Forgeable session cookie',
    description: '## Overview\nThe session cookie of quickform can be forged.',
    severity: 'high',
    toolSeverity: 'high',
    ruleId: 'SNYK-JS-QUICKFORM-9001',
    cves: ['CVE-2023-10001'],
    cwes: ['CWE-347'],
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    cvssScore: 7.5,
    asset: null,
    location: { path: 'web/package-lock.json' },
    component: { name: 'quickform', version: '2.1.0', purl: 'pkg:npm/quickform@2.1.0', fixedVersions: ['2.1.4'] },
    evidence: [{ kind: 'text', content: 'Comes in by:\nshop@1.0.0 > web-shop@2.0.0 > quickform@2.1.0' }],
    references: ['https://example.test/advisory'],
    remediation: 'Update web-shop to 3.0.0.',
    tags: ['CVE-2023-10001', 'GHSA-aaaa-bbbb-cccc', 'exploit: Proof of Concept'],
    identity: ['SNYK-JS-QUICKFORM-9001', 'quickform', 'web/package.json'],
  });
  expect(second?.identity).toEqual(first?.identity);
  expect(others).toEqual([]);
});

test('one project alone gives the findings that it gives in a list', async () => {
  expect(await read(JSON.stringify(projects[0]))).toEqual(await read(JSON.stringify(projects)));
});

test('issues of a container are on the image, issues of its applications in their file', async () => {
  const image = { type: 'container_image', value: 'example/shop:1.2' };
  expect(await read(fixture('snyk/container.json'))).toMatchObject([
    { severity: 'low', asset: image, location: {}, component: { name: 'libexample', fixedVersions: ['1.0-2'] } },
    { severity: 'high', asset: image, location: { path: '/srv/shop/package.json' } },
  ]);
});

test('a setting of infrastructure is a finding of its file, an ignored one is none', async () => {
  expect(await read(fixture('snyk/iac.json'))).toMatchObject([
    {
      title: 'Bucket is public',
      severity: 'high',
      description: 'The bucket is public\n\nAnyone reads it',
      location: { path: 'infra/main.tf', line: 7 },
      remediation: 'Set acl to private',
      identity: ['SNYK-CC-TF-1', 'infra/main.tf'],
    },
  ]);
});

test('a project that Snyk could not test is rejected, so that nothing of it is taken for gone', async () => {
  const failed = { ok: false, error: 'Missing node_modules folder', path: '/builds/example/shop' };
  expect(await eventsOf('auto', JSON.stringify([...projects, failed]))).toContainEqual({
    kind: 'rejected',
    where: '[2]',
    reason: 'it has no vulnerabilities',
  });
  expect(await codeOf(eventsOf('snyk', JSON.stringify(failed)))).toBe('unsupported_format');
});

test('a project without vulnerabilities is clean', async () => {
  expect(await eventsOf('auto', JSON.stringify(projects[1]))).toEqual([
    { kind: 'tool', name: 'Snyk Open Source' },
    { kind: 'tool', name: 'Snyk Open Source', category: 'pip' },
  ]);
});

test.each([
  ['all-projects.json', 'Snyk Open Source'],
  ['container.json', 'Snyk Container'],
  ['iac.json', 'Snyk IaC'],
])('%s names the product that looked, so that it closes nothing of the others', async (file, name) => {
  expect((await eventsOf('snyk', fixture(`snyk/${file}`)))[0]).toEqual({ kind: 'tool', name });
});
