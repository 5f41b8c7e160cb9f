import { expect, test } from 'vitest';
import { rounded } from '#shared/reporting/figures/percentile.ts';

test.each([
  ['nothing took any time', { mean: 0, spread: [{ seconds: 30, count: 4 }] }, { medianSeconds: 0, p90Seconds: 0 }],
  ['all took some seconds', { mean: 5, spread: [{ seconds: 30, count: 4 }] }, { medianSeconds: 10, p90Seconds: 30 }],
  [
    'few took long',
    {
      mean: 1_000,
      spread: [
        { seconds: 30, count: 4 },
        { seconds: 5_000, count: 1 },
      ],
    },
    { medianSeconds: 30, p90Seconds: 5_000 },
  ],
])('a median and a 90th percentile fit the mean where %s', (_, { mean, spread }, expected) => {
  expect(rounded({ mean, spread, count: 5 })).toMatchObject({ meanSeconds: mean, ...expected });
});
