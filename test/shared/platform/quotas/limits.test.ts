import { expect, test } from 'vitest';
import { changedLimits, knownLimits, limitRows, planLimitRows, readLimits } from '#shared/platform/quotas/limits.ts';
import { describeQuota, OrganizationLimits, QUOTAS } from '#shared/platform/quotas/quotas.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

test('the limits of a plan hold until the moment at which they end, and those that staff set stay', async () => {
  const clock = stopClock();
  const table = newOrganization(store.dynamo);
  await table.rows(planLimitRows).put({ limits: { linkTokens: 7, runningExports: 3 }, until: inSeconds(60) });
  await table.rows(limitRows).put({ runningExports: 5, version: 4 });
  clock.pass(59.999);
  expect(await changedLimits(table)).toEqual({ linkTokens: 7, runningExports: 5 });
  clock.pass(0.001);
  expect(await changedLimits(table)).toEqual({ runningExports: 5 });
  expect(await readLimits(table)).toMatchObject({ linkTokens: QUOTAS.linkTokens.limit, runningExports: 5 });
});

test('the limits of a plan without an end hold for good', async () => {
  const clock = stopClock();
  const table = newOrganization(store.dynamo);
  await table.rows(planLimitRows).put({ limits: { linkTokens: 7 }, until: null });
  clock.pass(400 * 86_400);
  expect(await readLimits(table)).toMatchObject({ linkTokens: 7 });
});

test('known limits of one organization do not apply to another', async () => {
  const [one, other] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
  await one.rows(limitRows).put({ linkTokens: 7 });
  const known = ({ organizationId }: typeof one) => knownLimits(store.dynamo, organizationId);
  expect(await known(one)).toMatchObject({ linkTokens: 7 });
  expect(await known(other)).toMatchObject({ linkTokens: QUOTAS.linkTokens.limit });
});

test.each<[keyof OrganizationLimits, lowest: number, usual: number, highest: number]>([
  ['waitingTasks', 0, 200_000, 5_000_000],
  ['openUploads', 0, 1_000, 2_000],
  ['openUploadBytes', 0, 107_374_182_400, 2_147_483_648_000],
  ['linkTokens', 0, 500, 2_000],
  ['serviceAccounts', 0, 500, 2_000],
  ['runningImports', 0, 1_000, 2_000],
  ['runningExports', 0, 20, 1_000],
  ['siemRetentionDays', 1, 30, 400],
  ['requestsPerSecond', 10, 1_000, 100_000],
  ['heldRequests', 1, 200, 10_000],
])(
  'staff may set %s to no less than %i, which is %i if they do not, and to no more than %i',
  (name, lowest, ...more) => {
    const [usual, highest] = more;
    expect(OrganizationLimits.parse({})[name]).toBe(usual);
    for (const limit of [lowest, highest]) expect(OrganizationLimits.parse({ [name]: limit })[name]).toBe(limit);
    for (const limit of [lowest - 1, highest + 1, lowest + 0.5])
      expect(OrganizationLimits.safeParse({ [name]: limit }).success, String(limit)).toBe(false);
  },
);

test('only a limit that each function instance counts separately says so', () => {
  const each = Object.entries(QUOTAS).filter(([, quota]) => describeQuota(quota).endsWith(', per function instance'));
  expect(each.map(([name]) => name)).toEqual(['requestsPerSecond', 'heldRequests']);
});
