import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' }).map((page) => `docs/${page}`),
].filter((page) => page.endsWith('.md'));

const IN_REPOSITORY = /`((?:bench|docs|events|functions|infra|local|shared|test)\/[\w./-]+)`/g;
const LINK = /\]\((?!https?:|#)([^)#]+)[^)]*\)/g;

test.each(pages)('%s names only files that exist, so that a reader finds what it speaks of', (page) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  const files = [...text.matchAll(IN_REPOSITORY)].map(([, path = '']) => new URL(path, root));
  const links = [...text.matchAll(LINK)].map(([, path = '']) => new URL(path, new URL(page, root)));
  expect([...files, ...links].filter((file) => !existsSync(file)).map(({ pathname }) => pathname)).toEqual([]);
});
