import { describe, expect, test } from 'vitest';
import { cvssScoreOf, newestCvss, severityOfScore, spelledVector } from '#shared/reports/readers/cvss.ts';
import { completeFinding } from '#shared/reports/readers/finding.ts';

describe('scores, so that a vector alone ranks a finding', () => {
  // From FIRST's published examples and calculators.
  test.each([
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
  ])('%s is %d', async (vector, score) => {
    expect(await cvssScoreOf(vector)).toBe(score);
  });

  test.each(['', 'garbage', 'CVSS:3.1/AV:N', 'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'CVSS:9.9/AV:N'])(
    '%j is no vector',
    async (vector) => {
      expect(await cvssScoreOf(vector)).toBeUndefined();
    },
  );

  test.each([
    [10, 'critical'],
    [9, 'critical'],
    [8.9, 'high'],
    [7, 'high'],
    [6.9, 'medium'],
    [4, 'medium'],
    [3.9, 'low'],
    [0.1, 'low'],
    [0, 'info'],
  ])('%d is %s', (score, severity) => {
    expect(severityOfScore(score)).toBe(severity);
  });
});

describe('a finding', () => {
  const draft = { title: 't', severity: 'low', ruleId: 'r', asset: null, location: {}, identity: [] } as const;
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  test.each([
    [{ cvssVector: vector }, { cvssVector: vector, cvssScore: 9.8 }],
    [
      { cvssVector: vector, cvssScore: 5 },
      { cvssVector: vector, cvssScore: 5 },
    ],
    [{ cvssVector: 'broken', cvssScore: 5 }, { cvssScore: 5 }],
    [{ cvssVector: 'broken', cvssScore: 11 }, {}],
  ])('with %o keeps what is valid of it: %o', async (given, kept) => {
    const { cvssVector, cvssScore } = await completeFinding({ ...draft, identity: [], ...given });
    expect({ cvssVector, cvssScore }).toEqual(kept);
  });
});

const metrics = 'AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:N/A:H';

test.each([
  [metrics, `CVSS:3.1/${metrics}`],
  [`(${metrics})`, `CVSS:3.1/${metrics}`],
  [`CVSS:3.0/${metrics}/E:U/RL:O/RC:C`, `CVSS:3.0/${metrics}/E:U/RL:O/RC:C`],
  [`CVSS3#${metrics}`, `CVSS:3.1/${metrics}`],
  [`CVSS:3.0#${metrics}`, `CVSS:3.0/${metrics}`],
  ['CVSS2#AV:N/AC:L/Au:N/C:N/I:N/A:C', 'AV:N/AC:L/Au:N/C:N/I:N/A:C'],
  ['(AV:N/AC:L/Au:N/C:N/I:N/A:C)', 'AV:N/AC:L/Au:N/C:N/I:N/A:C'],
  [
    'AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
    'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  ],
  ['CVSS:9.9/AV:N', 'CVSS:9.9/AV:N'],
  ['broken', 'broken'],
])('%s is %s, however tools write it', (written, vector) => {
  expect(spelledVector(written)).toBe(vector);
});

test('of two ratings without their prefix the newer counts', () => {
  const old = { cvssVector: 'AV:N/AC:L/Au:N/C:N/I:N/A:C', cvssScore: 7.8 };
  expect(newestCvss([old, { cvssVector: metrics, cvssScore: 6.5 }])).toEqual({
    cvssVector: `CVSS:3.1/${metrics}`,
    cvssScore: 6.5,
  });
});
