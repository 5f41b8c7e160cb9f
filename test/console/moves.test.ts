import { expect, test } from 'vitest';
import { personMoves } from '#shared/findings/finding/finding-status.ts';
import { MOVES } from '../../console/screens/findings/moves.ts';

test('the console offers exactly the statuses that the service takes', () => {
  expect(MOVES).toEqual(personMoves);
});
