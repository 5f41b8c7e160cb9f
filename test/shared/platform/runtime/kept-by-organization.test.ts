import { expect, test } from 'vitest';
import { keptByOrganization } from '#shared/platform/runtime/kept-by-organization.ts';

const of = (tenant: string) => ({ dynamo: { tableName: 't' }, tenant });

test('what is kept is no larger than its bound, whatever is put in the place of what, and the newest stays', () => {
  const kept = keptByOrganization<number>(10, (size) => size);
  const current = () => ['a', 'b', 'c', 'd'].map((tenant) => kept.get(of(tenant)));
  kept.put(of('a'), 4);
  kept.put(of('b'), 4);
  kept.put(of('a'), 5);
  expect(current()).toEqual([5, 4, undefined, undefined]);
  kept.put(of('c'), 4);
  expect(current()).toEqual([5, undefined, 4, undefined]);
  kept.put(of('d'), 30);
  expect(current()).toEqual([undefined, undefined, undefined, 30]);
  kept.put(of('a'), 1);
  expect(current()).toEqual([1, undefined, undefined, undefined]);
});
