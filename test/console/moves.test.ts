import { expect, test } from 'vitest';
import { personMoves } from '#shared/findings/finding/finding-status.ts';
import { MOVES } from '../../console/screens/findings/moves.ts';

test('the console offers exactly the statuses that the service takes', () => {
  const sorted = (moves: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(moves).map(([status, some]) => [status, some.toSorted()]));
  expect(sorted(MOVES)).toEqual(sorted(personMoves));
});
