import type { Key, Row } from '../layout/keys.ts';

export type Difference = Key & {
  kind: 'counter' | 'rank' | 'unique';
  /** The attribute of a counter, mask or page row. */
  attribute?: string;
  stands: bigint | string | null;
  expected: bigint | string | null;
  repaired: boolean;
};

export type CounterDifference = Difference & { attribute: string; stands: bigint; expected: bigint };
/** `row` is the row that the value should have. */
export type UniqueDifference = Difference & { record: Row; row: Row };
/** `record` is the owner that the row must still have at its repair; undefined: the owner does not exist. */
export type RankDifference = Difference & { record: Row | undefined };
