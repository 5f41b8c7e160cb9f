import type { Key, Row } from '../layout/keys.ts';

export type Difference = Key & {
  kind: 'counter' | 'rank' | 'unique';
  /** Of a counter, mask or page row. */
  attribute?: string;
  stands: bigint | string | null;
  expected: bigint | string | null;
  repaired: boolean;
};

export type CounterDifference = Difference & { attribute: string; stands: bigint; expected: bigint };
/** `row` is the one that the value should have. */
export type UniqueDifference = Difference & { record: Row; row: Row };
/** `record` is what the row must still be found to belong to when it is repaired; undefined: no record is there. */
export type RankDifference = Difference & { record: Row | undefined };
