import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { refName, repositoryName } from '#shared/assets/targets/repository.ts';

const NAME = 'https://git.example.com/acme/shop';

test.each([
  'https://git.example.com/acme/shop',
  'https://GIT.example.com/acme/shop/',
  'https://git.example.com/acme/shop.git',
  'http://git.example.com/acme/shop.git/',
  'https://x-access-token:ghs_secret@git.example.com/acme/shop',
  'https://ci@git.example.com:443/acme//shop?ref=1#readme',
  'git@git.example.com:acme/shop.git',
  'git@Git.Example.com:/acme/shop',
  'ssh://git@git.example.com:2222/acme/shop.git',
  'git://git.example.com/acme/shop.git',
  'git.example.com/acme/shop',
])('%s is one repository with every other spelling, so that its findings are not doubled', (spelling) => {
  expect(repositoryName(spelling)).toBe(NAME);
});

test.each([
  ['acme/shop', 'acme/shop'],
  ['acme/shop.git', 'acme/shop'],
  ['shop', 'shop'],
  ['http://git.example.com:8080/acme/shop', 'http://git.example.com:8080/acme/shop'],
  ['https://git.example.com/Acme/Shop', 'https://git.example.com/Acme/Shop'],
])('%s is %s: a name without a host, another port and the letter case of a path are not guessed', (given, name) => {
  expect(repositoryName(given)).toBe(name);
});

test.each([
  ['refs/heads/main', 'main'],
  ['main', 'main'],
  ['refs/heads/feature/login', 'feature/login'],
  ['refs/remotes/origin/main', 'main'],
  ['refs/pull/7/merge', 'pull/7'],
  ['refs/pull/7/head', 'pull/7'],
  ['7/merge', 'pull/7'],
  ['refs/merge-requests/7/head', 'merge-requests/7'],
  ['refs/pull-requests/7/from', 'pull-requests/7'],
  ['refs/tags/v1.2', 'tags/v1.2'],
])('the ref %s is the branch %s', (given, name) => {
  expect(refName(given)).toBe(name);
});

test('a name keeps its spelling, and no secret of an address is kept', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  fc.assert(
    fc.property(word, word, fc.stringMatching(/^SECRET[a-zA-Z0-9]{1,10}$/), (owner, name, token) => {
      const once = repositoryName(`https://ci:${token}@git.example.com/${owner}/${name}.git`);
      expect(once).not.toContain(token);
      expect(repositoryName(once)).toBe(once);
      expect(refName(refName(`refs/heads/${owner}/${name}`))).toBe(`${owner}/${name}`);
    }),
  );
});
