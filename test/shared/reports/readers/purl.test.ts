import { expect, test } from 'vitest';
import { packagePurl, purlOfName } from '#shared/reports/readers/purl.ts';

test.each([
  ['pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1', 'pkg:maven/org.apache.logging.log4j/log4j-core'],
  [
    'pkg:maven/org.example/core@1.0?repository_url=https%3A%2F%2Frepo.example.com%2Fa@b&type=jar#META-INF/x',
    'pkg:maven/org.example/core',
  ],
  ['pkg:deb/debian/openssl@3.0.2-0ubuntu1?arch=amd64&distro=debian-12&checksum=sha256:ab', 'pkg:deb/debian/openssl'],
  ['pkg:npm/%40angular/core@1.0.0', 'pkg:npm/%40angular/core'],
  ['pkg:npm/@angular/core@1.0.0', 'pkg:npm/%40angular/core'],
  ['pkg:npm/@angular/core', 'pkg:npm/%40angular/core'],
  ['PKG:PyPI/Ruamel_Yaml.Clib@0.2', 'pkg:pypi/ruamel-yaml-clib'],
  ['pkg://golang/github.com/Example/Tool@v1.2.3#cmd', 'pkg:golang/github.com/example/tool'],
  ['pkg:docker/nginx@sha256:244fd47e07d1004f0aed9c', 'pkg:docker/nginx'],
  ['pkg:deb/debian/libstdc%2B%2B6@12', 'pkg:deb/debian/libstdc%2B%2B6'],
  ['pkg:deb/debian/libstdc++6@12', 'pkg:deb/debian/libstdc%2B%2B6'],
])('the package of %s is %s', (purl, expected) => {
  expect(packagePurl(purl)).toBe(expected);
});

test.each([
  ['org.apache.logging.log4j:log4j-core', 'pkg:maven/org.apache.logging.log4j/log4j-core'],
  ['org.apache.logging.log4j/log4j-core', 'pkg:maven/org.apache.logging.log4j/log4j-core'],
  ['commons-io:commons-io', 'pkg:maven/commons-io/commons-io'],
  ['@Angular/core', 'pkg:npm/%40angular/core'],
  ['github.com/example/tool', 'pkg:golang/github.com/example/tool'],
  ['golang.org/x/crypto', 'pkg:golang/golang.org/x/crypto'],
  ['log4j-core', undefined],
  ['libc6:amd64', undefined],
  ['actions/checkout', undefined],
  ['spring framework', undefined],
])('the bare name %s means %s', (name, expected) => {
  expect(purlOfName(name)).toBe(expected);
});
