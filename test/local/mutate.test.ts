import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { coveringTests } from '#local/mutate/covering.ts';
import { mutantsOf } from '#local/mutate/mutants.ts';

const changed = (source: string): string[] =>
  mutantsOf('x.ts', source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));

test('operators, conditions, constants and statements are changed one at a time', () => {
  expect(changed('if (a < 3) stop();')).toEqual([
    'if (true) stop();',
    'if (false) stop();',
    'if (a <= 3) stop();',
    'if (a < (3 + 1)) stop();',
    'if (a < 3) ;',
  ]);
  expect(changed('const b = !c && d === e;')).toEqual([
    'const b = !c || d === e;',
    'const b = c && d === e;',
    'const b = !c && d !== e;',
  ]);
  expect(changed('f(x.filter(isOpen), y ?? true);')).toEqual([
    ';',
    'f(x.filter(() => true), y ?? true);',
    'f(x.filter(isOpen), (true) ?? true);',
    'f(x.filter(isOpen), y ?? false);',
  ]);
});

test('what a comparison answers is a sign: its size is not changed', () => {
  expect(changed('f(a < b ? -1 : 1);')).toEqual([';', 'f(!(a < b) ? -1 : 1);', 'f(a <= b ? -1 : 1);']);
  expect(changed('f(a ? -1 : 2);')).toContain('f(a ? -1 : (2 + 1));');
});

test('a method that every object has is no change of a method', () => {
  expect(changed('const a = f(b.toString(), c.valueOf());')).toEqual([]);
});

test('each change names the function around it, which selects the tests that run it', () => {
  const source = 'const a = b > 1; const c = (x) => x.map((y) => y + 1); export const d = { e() { return !f; } };';
  expect(mutantsOf('x.ts', source).map(({ was, within }) => [was, within])).toEqual([
    ['>', ''],
    ['1', ''],
    ['+', 'c'],
    ['1', 'c'],
    ['!f', 'e'],
  ]);
});

test('types, imports, log lines and descriptions are left alone: no caller would lose something', () => {
  expect(changed("import { a } from './a.ts';\ntype B = { c: true; d: 1 };\nlog.info('n', { count: 1 + 2 });")).toEqual(
    [],
  );
});

test('the tests of a file are those that come to it soonest, also through the operations that they call', () => {
  const covering = coveringTests(process.cwd());
  expect(covering('shared/platform/runtime/chunks.ts')[0]).toBe('test/shared/platform/runtime/chunks.test.ts');
  expect(covering('functions/credentials/credentials/handlers.ts').slice(0, 8)).toContain(
    'test/http/credentials.test.ts',
  );
  expect(covering('functions/workers/imports/close.ts').length).toBeGreaterThan(10);
});

test('a change that breaks a rule is noticed, and the code itself stays as it is', () => {
  const options = ['--file', 'shared/platform/runtime/chunks.ts', '--sample', '1', '--seed', '1', '--tests', '1'];
  const { stdout, status } = spawnSync('npm', ['run', 'mutate', '--', ...options], { encoding: 'utf8' });
  expect(stdout).toMatch(/^killed {7}shared\/platform\/runtime\/chunks\.ts:\d+ /m);
  expect(stdout).toMatch(/1 of 1 killed \(100 %\)/);
  expect(status).toBe(0);
  expect(spawnSync('git', ['status', '--short', 'shared/platform/runtime'], { encoding: 'utf8' }).stdout).toBe('');
});
