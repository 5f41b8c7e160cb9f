import { expect, test } from 'vitest';
import { fixture } from '../../../support/recorded.ts';
import { eventsOf, findingsOf } from './reading.ts';

const findings = async (file: string) => findingsOf(await eventsOf('trivy', fixture(`trivy/${file}`)));
const image = (results: object[], more: object = {}) =>
  JSON.stringify({
    Results: results,
    SchemaVersion: 2,
    ArtifactName: 'shop:1',
    ArtifactType: 'container_image',
    ...more,
  });
const vulnerable = (parts: object) => ({ VulnerabilityID: 'CVE-2026-1', PkgName: 'zlib', Severity: 'LOW', ...parts });

test('a vulnerability of an image names its package, where it is mended, and the score of the source that rated it', async () => {
  expect((await findings('image.json'))[0]).toEqual({
    title: 'CVE-2024-0727 in libssl3 3.0.11: openssl: denial of service via null dereference',
    description: 'A malformed PKCS12 file leads to a crash.',
    severity: 'medium',
    toolSeverity: 'MEDIUM',
    ruleId: 'CVE-2024-0727',
    cves: ['CVE-2024-0727'],
    cwes: ['CWE-476'],
    cvssVector: 'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:N/I:N/A:H',
    cvssScore: 5.5,
    asset: { type: 'container_image', value: 'registry.example.test/shop:1.4' },
    location: { path: 'registry.example.test/shop:1.4 (debian 12.5)' },
    component: {
      name: 'libssl3',
      version: '3.0.11',
      purl: 'pkg:deb/debian/libssl3@3.0.11?arch=amd64&distro=debian-12.5',
      fixedVersions: ['3.0.13-1', '3.1.5'],
    },
    evidence: [],
    references: ['https://avd.example.test/nvd/cve-2024-0727', 'https://nvd.nist.gov/vuln/detail/CVE-2024-0727'],
    remediation: 'Update libssl3 to 3.0.13-1 or 3.1.5.',
    tags: ['DLA-3942-1'],
    identity: ['CVE-2024-0727', 'libssl3', ''],
  });
});

test('two versions of a package in one lock file are two problems, and a license is one', async () => {
  const [, first, second, license] = await findings('image.json');
  expect([first, second].map((finding) => [finding?.component?.version, finding?.identity, finding?.severity])).toEqual(
    [
      ['1.0.0', ['GHSA-xxxx-yyyy-zzzz', 'left-pad', 'app/package-lock.json'], 'info'],
      ['1.1.0', ['GHSA-xxxx-yyyy-zzzz', 'left-pad', 'app/package-lock.json', '#2'], 'info'],
    ],
  );
  expect(license).toMatchObject({
    title: 'License GPL-3.0 of left-pad',
    severity: 'high',
    tags: ['license', 'restricted'],
  });
});

test('what was decided about a vulnerability holds after an update that does not mend it, and for the next tag of the base', async () => {
  const identity = async (target: string, version: string) => {
    const result = { Target: target, Class: 'os-pkgs', Vulnerabilities: [vulnerable({ InstalledVersion: version })] };
    return findingsOf(await eventsOf('trivy', image([result])))[0]?.identity;
  };
  expect(await identity('shop:1 (debian 12.5)', '1.2')).toEqual(await identity('shop:1 (debian 12.6)', '1.3'));
});

test('failed checks and secrets have their file and line; passed checks are no problem', async () => {
  const [check, secret, ...more] = await findings('config.json');
  expect(check).toMatchObject({
    title: "Image user should not be 'root'",
    severity: 'high',
    ruleId: 'DS002',
    asset: null,
    location: { path: 'deploy/Dockerfile', line: 7, snippet: 'USER root' },
    remediation: 'Add a USER line to the Dockerfile.',
    tags: ['config', 'Dockerfile', 'general'],
  });
  expect(secret).toMatchObject({
    title: 'Secret: AWS Access Key ID',
    severity: 'critical',
    location: { path: 'config/dev.env', line: 3, snippet: 'KEY=********************' },
  });
  expect(more).toEqual([]);
});

test('a problem of a cluster is at its object', async () => {
  const [finding] = await findings('cluster.json');
  expect(finding).toMatchObject({
    asset: null,
    location: { path: 'default/Deployment/shop/registry.example.test/shop:1.4 (alpine 3.19)' },
    identity: ['CVE-2023-42363', 'busybox', 'default/Deployment/shop'],
  });
});

test('the keys may be in any order, as jq sorts them, and the list of packages may be of any size', async () => {
  const packages = Array.from({ length: 100_000 }, (_, n) => ({ ID: `package-${n}`, Files: 'x'.repeat(80) }));
  const result = { Packages: packages, Vulnerabilities: [vulnerable({})], Target: 'go.sum', Class: 'lang-pkgs' };
  const [finding] = findingsOf(await eventsOf('trivy', image([result])));
  expect(finding).toMatchObject({ asset: { value: 'shop:1' }, location: { path: 'go.sum' } });
});

test('an image without a problem is a clean scan, in each schema', async () => {
  for (const report of [
    image([]),
    image([], { Results: null }),
    '[{"Target":"a (alpine 3.9)","Vulnerabilities":null}]',
  ])
    expect(await eventsOf('trivy', report)).toContainEqual({ kind: 'tool', name: 'Trivy', category: 'packages' });
});

test('a report names what Trivy looked for and on which image, also where it found nothing', async () => {
  const events = await eventsOf(
    'trivy',
    image([{ Target: 'Dockerfile', Class: 'config', MisconfSummary: { Failures: 0 } }]),
  );
  expect(events).toEqual([
    { kind: 'tool', name: 'Trivy' },
    { kind: 'tool', name: 'Trivy', category: 'config' },
    { kind: 'covered', target: { type: 'container_image', value: 'shop:1' }, aliases: [], outcome: 'reached' },
  ]);
});

test('without a fix the distributor is quoted, and there is no advice to update', async () => {
  const remediation = async (parts: object) => {
    const result = { Target: 'shop:1 (debian 12.5)', Class: 'os-pkgs', Vulnerabilities: [vulnerable(parts)] };
    return findingsOf(await eventsOf('trivy', image([result])))[0]?.remediation;
  };
  expect(await remediation({})).toBeUndefined();
  expect(await remediation({ Status: 'will_not_fix' })).toBe('The distributor will not fix it in this release.');
  expect(await remediation({ Status: 'fixed', FixedVersion: '2.0' })).toBe('Update zlib to 2.0.');
});

test('a scan of an AWS account is on that account', async () => {
  const result = { Target: 'arn:aws:s3:::a', Class: 'config', Misconfigurations: [{ ID: 'AWS-0086', Status: 'FAIL' }] };
  const [found] = findingsOf(
    await eventsOf('auto', image([result], { ArtifactName: '123456789012', ArtifactType: 'aws_account' })),
  );
  expect(found?.asset).toEqual({ type: 'cloud_account', value: '123456789012' });
});

test('a report whose keys jq has sorted is recognised, however large its results are', async () => {
  const result = { Class: 'os-pkgs', Target: 'a', Vulnerabilities: Array.from({ length: 300 }, () => vulnerable({})) };
  const document = { ArtifactName: 'shop:1', ArtifactType: 'container_image', Results: [result], SchemaVersion: 2 };
  expect(findingsOf(await eventsOf('auto', JSON.stringify(document)))).toHaveLength(300);
});

test('a check of an unknown status is rejected, so that the report closes nothing', async () => {
  const Misconfigurations = ['PASS', 'EXCEPTION', 'UNKNOWN'].map((Status) => ({ ID: 'DS002', Status }));
  const events = await eventsOf('trivy', image([{ Target: 'Dockerfile', Class: 'config', Misconfigurations }]));
  expect(events.filter(({ kind }) => kind === 'rejected' || kind === 'finding')).toMatchObject([{ kind: 'rejected' }]);
});

test.each(['Resources', 'Vulnerabilities'])(
  'an object of a cluster that Trivy could not scan leaves %s incomplete',
  async (list) => {
    const failed = { Namespace: 'default', Kind: 'Deployment', Name: 'shop', Error: 'unable to pull the image' };
    const events = await eventsOf('trivy', JSON.stringify({ ClusterName: 'prod', [list]: [failed] }));
    expect(events.filter(({ kind }) => kind === 'incomplete')).toEqual([
      { kind: 'incomplete', code: 'not_read', count: 1, thing: 'object', first: 'unable to pull the image' },
    ]);
  },
);
