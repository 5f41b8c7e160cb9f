import { expect, test } from 'vitest';
import { entriesOf, pagesOf } from '#shared/platform/outgoing/pages.ts';

/** The pages that are read of a list by the links of its pages. */
async function read(nexts: Record<string, string | undefined>, most = 100): Promise<string[]> {
  const asked: string[] = [];
  const ask = async (next = 'first') => {
    asked.push(next);
    return { next: nexts[next] };
  };
  for await (const page of pagesOf(ask, { most })) if (!page) break;
  return asked;
}

test('a list is read to its end', async () => {
  expect(await read({ first: 'b', b: 'c', c: undefined })).toEqual(['first', 'b', 'c']);
});

test.each([
  ['itself', { first: 'b', b: 'b' }],
  ['one before it', { first: 'b', b: 'c', c: 'd', d: 'b' }],
])('a page that names %s as the next one is refused', async (_, nexts) => {
  await expect(read(nexts)).rejects.toMatchObject({ code: 'unexpected_answer' });
});

test('a list without an end is left after so many pages', async () => {
  const endless = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [n === 0 ? 'first' : String(n), String(n + 1)]),
  );
  expect(await read(endless, 7)).toHaveLength(7);
});

test('a page of more entries than were asked for is refused', () => {
  expect(entriesOf(Array(100).fill({}))).toHaveLength(100);
  expect(() => entriesOf(Array(101).fill({}))).toThrow('101 entries');
});
