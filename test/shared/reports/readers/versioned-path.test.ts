import { expect, test } from 'vitest';
import { withoutVersions } from '#shared/reports/readers/versioned-path.ts';
import { eventsOf, findingsOf } from './reading.ts';

test.each([
  [
    'usr/lib/python3.11/site-packages/urllib3-2.0.4.dist-info/METADATA',
    'usr/lib/python*/site-packages/urllib3-*.dist-info/METADATA',
  ],
  ['usr/lib/python3/dist-packages/PyYAML-5.3.1.egg-info', 'usr/lib/python3/dist-packages/PyYAML-*.egg-info'],
  ['app/WEB-INF/lib/log4j-core-2.14.1.jar', 'app/WEB-INF/lib/log4j-core-*.jar'],
  ['/srv/shop-1.0.war:WEB-INF/lib/guava-31.1-jre.jar', '/srv/shop-*.war:WEB-INF/lib/guava-*.jar'],
  ['.m2/repository/org/x/core/2.14.1/core-2.14.1.jar', '.m2/repository/org/x/core/*/core-*.jar'],
  [
    '.gradle/caches/modules-2/files-2.1/org.x/core/2.1/0123456789abcdef0123456789abcdef01234567/core-2.1.jar',
    '.gradle/caches/modules-2/files-2.1/org.x/core/*/*/core-*.jar',
  ],
  [
    'packages/Newtonsoft.Json.12.0.1/Newtonsoft.Json.12.0.1.nupkg',
    'packages/Newtonsoft.Json.*/Newtonsoft.Json.*.nupkg',
  ],
  [
    '.nuget/packages/newtonsoft.json/12.0.1/newtonsoft.json.12.0.1.nupkg',
    '.nuget/packages/newtonsoft.json/*/newtonsoft.json.*.nupkg',
  ],
  ['usr/lib/ruby/gems/3.1.0/specifications/rack-2.2.3.gemspec', 'usr/lib/ruby/gems/*/specifications/rack-*.gemspec'],
  ['vendor/bundle/ruby/3.1.0/gems/rack-2.2.3/rack.gemspec', 'vendor/bundle/ruby/*/gems/rack-*/rack.gemspec'],
  ['home/linuxbrew/Cellar/openssl@3/3.0.7/sbom.json', 'home/linuxbrew/Cellar/openssl@3/*/sbom.json'],
  [
    'app/node_modules/.pnpm/@a+b@7.1.0_c@1.0.0/node_modules/@a/b/package.json',
    'app/node_modules/.pnpm/@a+b@*/node_modules/@a/b/package.json',
  ],
  ['go/pkg/mod/example.org/core@v1.2.3/go.mod', 'go/pkg/mod/example.org/core@*/go.mod'],
])('the versions that a package manager writes into %s are no identity', (path, unversioned) => {
  expect(withoutVersions(path)).toBe(unversioned);
});

test.each([
  'services/api-v1.2/package-lock.json',
  'services/1.0/package-lock.json',
  'apps/web2/go.sum',
  'usr/local/bin/node18',
  'lib/core.jar',
  '',
])('the folder %s, which people name, stays', (path) => {
  expect(withoutVersions(path)).toBe(path);
});

const trivy = (...packages: [version: string, path: string][]) => ({
  SchemaVersion: 2,
  ArtifactName: 'shop:1',
  ArtifactType: 'container_image',
  Results: [
    {
      Target: 'Python',
      Class: 'lang-pkgs',
      Vulnerabilities: packages.map(([InstalledVersion, PkgPath]) => ({
        VulnerabilityID: 'CVE-2023-43804',
        PkgName: 'urllib3',
        InstalledVersion,
        PkgPath,
      })),
    },
  ],
});
const grype = (version: string, path: string) => ({
  source: { type: 'directory', target: '.' },
  matches: [
    { vulnerability: { id: 'GHSA-aaaa-bbbb-cccc' }, artifact: { name: 'urllib3', version, locations: [{ path }] } },
  ],
});
const cyclonedx = (version: string, path: string) => ({
  bomFormat: 'CycloneDX',
  components: [
    {
      'bom-ref': 'a',
      name: 'urllib3',
      version,
      properties: [{ name: 'aquasecurity:trivy:FilePath', value: path }],
    },
  ],
  vulnerabilities: [{ id: 'CVE-2023-43804', affects: [{ ref: 'a' }] }],
});

const found = async (format: string, report: unknown) =>
  findingsOf(await eventsOf(format, JSON.stringify(report))).map(({ identity, location }) => [identity, location.path]);

test.each<[string, (version: string, path: string) => unknown]>([
  ['trivy', (version, path) => trivy([version, path])],
  ['grype', grype],
  ['cyclonedx', cyclonedx],
])('%s: an update that stays vulnerable is the same problem, at its new path', async (format, report) => {
  const [[before, from] = []] = await found(format, report('2.0.4', 'lib/urllib3-2.0.4.dist-info'));
  const [[after, to] = []] = await found(format, report('2.0.5', 'lib/urllib3-2.0.5.dist-info'));
  expect(after).toEqual(before);
  expect([from, to]).toEqual(['lib/urllib3-2.0.4.dist-info', 'lib/urllib3-2.0.5.dist-info']);
});

test('one version in two archives that differ in their version alone are two problems', async () => {
  const both = await found('trivy', trivy(['2.1', 'shop-1.0.war'], ['2.1', 'shop-2.0.war'], ['2.1', 'shop-1.0.war']));
  const identity = ['CVE-2023-43804', 'urllib3', 'shop-*.war'];
  expect(both.map(([one]) => one)).toEqual([identity, [...identity, '.2'], identity]);
});
