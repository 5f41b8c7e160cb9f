import { describe, expect, test } from 'vitest';
import { commentsWithoutSubject, orphanedComments, unusedExports } from './rules.ts';
import { readSources } from './sources.ts';

describe('a reader is not led to code that nothing uses, or by comments that describe nothing', () => {
  const sources = readSources();

  test('every export is imported somewhere', () => {
    expect(unusedExports(sources)).toEqual([]);
  });

  test('every documentation comment describes the declaration below it', () => {
    expect(orphanedComments(sources)).toEqual([]);
  });

  test('every comment names its subject first', () => {
    expect(commentsWithoutSubject(sources)).toEqual([]);
  });
});

describe('the rules above fail when they must', () => {
  test('an export that no other file imports is named', () => {
    const sources = new Map([
      ['a.ts', 'export const used = 1;\nexport type Unused = string;\nexport async function* walk() {}\n'],
      ['b.ts', "import { used as mine } from './a.ts';\nexport const handler = mine;\n"],
      ['c.ts', 'export const all = 1;\nexport class Every {}\n'],
      ['d.ts', "import * as c from './c.ts';\n"],
      ['functions/x/index.ts', 'export const handler = 1;\n'],
    ]);
    expect(unusedExports(sources)).toEqual([
      'a.ts exports Unused, which no file imports',
      'a.ts exports walk, which no file imports',
      'b.ts exports handler, which no file imports',
    ]);
  });

  test.each([
    ['before a blank line', '/** Lost. */\n\nconst a = 1;\n'],
    ['before an import', "/** Lost. */\nimport a from './a.ts';\n"],
    ['before another comment', '/** Lost. */\n/** Kept. */\nconst a = 1;\n'],
    ['before the end of a block', 'type A = {\n  a: 1;\n  /** Lost. */\n};\n'],
    ['behind code', 'type A = {\n  a: 1 /** Lost. */;\n  b: 2;\n};\n'],
    ['of several lines at the end of the file', 'const a = 1;\n/**\n * Lost.\n */\n'],
  ])('a comment %s is named', (_, text) => {
    expect(orphanedComments(new Map([['x.ts', text]]))).toEqual([expect.stringContaining('documents nothing')]);
  });

  test.each([
    ['of one line', '/** What it is. */\nconst a = 1;\n'],
    ['of several lines', '/**\n * Whoever asks\n * gets it.\n */\nconst a = 1;\n'],
    ['beside code', 'const a = 1; // As the other does\n'],
  ])('a comment %s that begins without a subject is named', (_, text) => {
    expect(commentsWithoutSubject(new Map([['x.ts', text]]))).toEqual([expect.stringContaining('without a subject')]);
  });

  test('a comment may go on with such a word on its next line', () => {
    expect(commentsWithoutSubject(new Map([['x.ts', '/**\n * It is the same.\n * As such it stays.\n */\n']]))).toEqual(
      [],
    );
  });

  test('a comment before a declaration, a member or a suppression is kept', () => {
    const text =
      '/** A. */\nconst a = 1;\n\ntype B = {\n  /** b. */\n  b: 1;\n};\n/** C. */\n// biome-ignore x: y\nlet c: any;\n';
    expect(orphanedComments(new Map([['x.ts', text]]))).toEqual([]);
  });
});
