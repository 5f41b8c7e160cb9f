import { expect, test } from 'vitest';
import { graphOf, importsOf } from './sources.ts';

test('every way to import a file is seen, types included', () => {
  const text = `
import type { A, B as Beta } from './a.ts';
import plain, { type C } from '#shared/c.ts';
import {
  d,
  type E,
} from '../d.ts';
import './effect.ts';
import * as z from 'zod';
export { f } from './f.ts';
const lazy = () => import('./lazy.ts');
fork(new URL('./child.ts', import.meta.url));
`;
  expect(importsOf('functions/x/y.ts', text)).toEqual([
    { file: 'functions/x/a.ts', names: ['A', 'B'] },
    { file: 'shared/c.ts', names: ['C'] },
    { file: 'functions/d.ts', names: ['d', 'E'] },
    { file: 'functions/x/f.ts', names: ['f'] },
    { file: 'functions/x/effect.ts', names: ['*'] },
    { file: 'functions/x/lazy.ts', names: ['*'] },
    { file: 'functions/x/child.ts', names: ['*'] },
  ]);
});

test('an import is an arrow once, and only to a file of the repository', () => {
  const text = "import { a } from './a.ts';\nimport type { A } from './a.ts';\nimport { b } from './gone.ts';\n";
  const sources = new Map([
    ['x/main.ts', text],
    ['x/a.ts', ''],
  ]);
  expect(graphOf(sources).get('x/main.ts')).toEqual(['x/a.ts']);
});
