import type { Key, Row } from '../layout/keys.ts';

export type Difference = Key & {
  kind: 'counter' | 'word' | 'unique';
  /** The attribute of a counter, mask or page row. */
  attribute?: string;
  stands: bigint | string | null;
  expected: bigint | string | null;
  repaired: boolean;
};

export type CounterDifference = Difference & { attribute: string; stands: bigint; expected: bigint };
export type UniqueDifference = Difference & { record: Row };
/** `record` is the record's row as it was read (undefined: no record); a repair requires that it is still the same. */
export type WordDifference = Difference & { record: Row | undefined };
