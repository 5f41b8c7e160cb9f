import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { limitRows } from '#shared/platform/quotas/limits.ts';
import { giveUpPlace, placeRows, readUse, takePlace } from '#shared/platform/quotas/places.ts';
import { OrganizationLimits, type PlaceKind, QUOTAS } from '#shared/platform/quotas/quotas.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();
const DAY = 86_400;

const limit = (table: Table, limits: Partial<OrganizationLimits>) => table.rows(limitRows).put(limits);

const take = (table: Table, kind: PlaceKind, more: { id?: string; amount?: number; seconds?: number } = {}) =>
  retry(async () => {
    const { id = newId(), amount, seconds = DAY } = more;
    const batch = table.batch();
    await takePlace(table, batch, { kind, id, amount, until: inSeconds(seconds) });
    await batch.commit();
  });

const outcomes = async (tries: Promise<unknown>[]) => {
  const ends = await Promise.allSettled(tries);
  return ends.map((end) => (end.status === 'fulfilled' ? 'taken' : end.reason.code)).sort();
};

describe('a limit is never passed, and all of it can be used', () => {
  test.each([20, 100])('by %i takers at once', async (takers) => {
    const table = newOrganization(store.dynamo);
    await limit(table, { linkTokens: 7 });
    const ends = await outcomes(Array.from({ length: takers }, () => take(table, 'link-tokens')));
    expect(ends.filter((end) => end === 'taken')).toHaveLength(7);
    expect(ends.filter((end) => end === 'limit_exceeded')).toHaveLength(takers - 7);
    expect((await readUse(table)).get('linkTokens')).toBe(7);
  });

  test('far below it, takers at once do not make each other begin again', async () => {
    const dynamo = store.connect();
    const table = openTable(dynamo, newOrganization(store.dynamo).organizationId);
    let reads = 0;
    injectFaults(dynamo, { random: () => 1, before: (command) => void (command.startsWith('Get') && reads++) });
    await Promise.all(Array.from({ length: 40 }, () => take(table, 'imports')));
    // the limits that staff set, those of the plan, and the places
    expect(reads).toBe(40 * 3);
  });

  test('by number and by size together, whichever is reached first', async () => {
    const table = newOrganization(store.dynamo);
    await limit(table, { openUploads: 3, openUploadBytes: 1000 });
    await take(table, 'uploads', { amount: 900 });
    await expect(take(table, 'uploads', { amount: 101 })).rejects.toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringMatching(
        /^Too many bytes of open uploads: 900 of 1000 are used, and 101 more are needed\./,
      ),
      details: [{ path: 'openUploadBytes', message: '900 of 1000' }],
    });
    await take(table, 'uploads', { amount: 50 });
    await take(table, 'uploads', { amount: 50 });
    await expect(take(table, 'uploads', { amount: 0 })).rejects.toMatchObject({ details: [{ path: 'openUploads' }] });
  });

  test('with conflicts, throttling and lost answers, whatever is taken, given up and left to lapse', async () => {
    const clock = stopClock();
    const act = fc.oneof(
      fc.record({ does: fc.constant('take' as const), id: fc.nat(9), amount: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ does: fc.constant('give' as const), id: fc.nat(9) }),
    );
    const plan = fc.array(
      fc.oneof(fc.array(act, { minLength: 1, maxLength: 6 }), fc.constant('a day passes' as const)),
      {
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(), async (rounds, seed) => {
        const dynamo = store.connect();
        const table = openTable(dynamo, newOrganization(store.dynamo).organizationId);
        await limit(table, { openUploads: 4, openUploadBytes: 12 });
        injectFaults(dynamo, { random: dice(seed), conflict: 0.1, throttle: 0.05, lost: 0.1 });
        const ids = Array.from({ length: 10 }, () => newId());
        for (const round of rounds) {
          if (round === 'a day passes') clock.pass(DAY);
          else
            await outcomes(
              round.map((one) =>
                one.does === 'take'
                  ? take(table, 'uploads', { id: ids[one.id], amount: one.amount })
                  : giveUpPlace(table, 'uploads', ids[one.id] ?? ''),
              ),
            );
          const use = await readUse(table);
          expect(use.get('openUploads')).toBeLessThanOrEqual(4);
          expect(use.get('openUploadBytes')).toBeLessThanOrEqual(12);
          if (round === 'a day passes') expect(use.get('openUploads')).toBe(0);
        }
        await Promise.all(ids.map((id) => giveUpPlace(table, 'uploads', id)));
        expect((await readUse(table)).get('openUploads')).toBe(0);
      }),
      { numRuns: runs(3, 15), endOnFailure: true },
    );
  });
});

test('a refusal says of what, how much, and until when, where that is known', async () => {
  const clock = stopClock(Date.parse('2026-03-01T10:00:00Z'));
  const table = newOrganization(store.dynamo);
  await limit(table, { linkTokens: 2, serviceAccounts: 0 });
  await take(table, 'link-tokens', { seconds: 7200 });
  await take(table, 'link-tokens', { seconds: 3600 });
  const refusal = (kind: PlaceKind) => take(table, kind).catch(({ message }) => message);
  expect(await refusal('link-tokens')).toBe(
    'Too many link tokens that can be used: 2 of 2 are used, and 1 more is needed. Try again when one is used up, ' +
      'revoked or has expired, at the latest at 2026-03-01T11:00:00.000Z. Administrators get a higher limit by another plan, ' +
      'or from the provider of the service: GET /api/v1/billing.',
  );
  expect(await refusal('service-accounts')).toMatch(
    /Try again when one is revoked or has expired\. Administrators get a higher limit by .*: GET \/api\/v1\/billing\.$/,
  );
  clock.pass(3600);
  await take(table, 'link-tokens');
});

test('places that lapsed leave the row, so that it stays small', async () => {
  const clock = stopClock();
  const table = newOrganization(store.dynamo);
  for (let n = 0; n < 5; n++) await take(table, 'uploads');
  clock.pass(DAY);
  await take(table, 'uploads');
  const row = await table.rows(placeRows).find({ kind: 'uploads' }, true);
  expect(Object.keys(row ?? {}).filter((name) => name.startsWith('n'))).toHaveLength(1);
});

test('one who holds places takes only what it lacks, however often its message comes', async () => {
  const table = newOrganization(store.dynamo);
  await limit(table, { waitingTasks: 10 });
  const id = newId();
  for (const amount of [6, 6, 4, 9]) await take(table, 'tasks', { id, amount });
  expect((await readUse(table)).get('waitingTasks')).toBe(9);
  await expect(take(table, 'tasks', { amount: 2 })).rejects.toMatchObject({ code: 'limit_exceeded' });
  await expect(take(table, 'tasks', { id, amount: 11 })).rejects.toMatchObject({ code: 'limit_exceeded' });
});

test("another organization's use is none of ours", async () => {
  const [ours, theirs] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
  await limit(theirs, { runningImports: 1 });
  await take(theirs, 'imports');
  await expect(take(theirs, 'imports')).rejects.toMatchObject({ code: 'limit_exceeded' });
  await take(ours, 'imports');
  await take(ours, 'imports');
  expect((await readUse(ours)).get('runningImports')).toBe(2);
});

test('tasks are counted by the names and facets that their entities have', () => {
  for (const entity of [scannerTasks, apexTasks])
    expect(entity.facets({ status: 'pending' } as never)).toMatchObject({ 'status:pending': 1 });
  expect([scannerTasks.name, apexTasks.name]).toEqual(['scan-task', 'apex-task']);
});

test('the defaults lie within what staff may set', () => {
  expect(OrganizationLimits.parse({})).toEqual(
    Object.fromEntries(Object.entries(QUOTAS).map(([name, { limit: value }]) => [name, value])),
  );
});
