import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksTest, contains, parseBlock } from '#shared/platform/runtime/addresses.ts';

const digit = fc.integer({ min: 0, max: 3 });
const v4 = fc.tuple(digit, digit, digit, digit).map((parts) => parts.join('.'));
const v6 = fc.tuple(digit, digit, digit).map(([a, b, c]) => `2001:db8:${a}:${b}::${c}`);
const blockOf = (address: fc.Arbitrary<string>, bits: number) =>
  fc.tuple(address, fc.integer({ min: 0, max: bits })).map(([text, prefix]) => `${text}/${prefix}`);
const texts = fc.oneof(v4, v6, blockOf(v4, 32), blockOf(v6, 128));

test('many blocks are compared as each of them is', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 30 }), texts, (outer, inner) => {
      const blocks = outer.flatMap((text) => parseBlock(text) ?? []);
      const block = parseBlock(inner);
      if (!block) throw new Error(inner);
      expect(blocksTest(blocks)(block)).toBe(blocks.some((one) => contains(one, block)));
    }),
  );
});
