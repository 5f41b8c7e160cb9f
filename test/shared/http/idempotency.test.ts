import { expect, onTestFinished, test, vi } from 'vitest';
import { importRoutes } from '#functions/import/routes.ts';
import { withIdempotency } from '#shared/http/idempotency.ts';
import { log } from '#shared/runtime/log.ts';
import type { Table } from '#shared/table/table.ts';
import { startSystem } from '#test/support/system.ts';

const system = startSystem();
const route = importRoutes.importFindings;
const event = { match: { name: 'importFindings', route, params: {} }, rawPath: route.path, sent: '{}' };

test('an answer that is too large to keep is given all the same, and what it answers is not done again', async () => {
  const { table } = await system.newOrganization();
  const respond = vi.fn(async () => ({ text: '語'.repeat(200_000) }));
  const attempt = { table, key: 'large', event };
  expect(await withIdempotency(attempt, respond)).toEqual(await respond.mock.results[0]?.value);
  await expect(withIdempotency(attempt, respond)).rejects.toMatchObject({ code: 'conflict' });
  expect(respond).toHaveBeenCalledOnce();
});

test('of two requests that come as an attempt under their key fails only one is done', async () => {
  const { table } = await system.newOrganization();
  const attempt = { table, key: 'twice', event };
  const respond = vi.fn(async () => ({}));
  const [started, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failing = withIdempotency(attempt, () => {
    started.resolve();
    return failed.promise;
  }).catch(() => undefined);
  await started.promise;
  /** As the late one looks the failed attempt is gone, and before it goes on the other one comes. */
  const rows = ((kind: never) => ({
    ...table.rows(kind),
    async find() {
      failed.reject(new Error('failed'));
      await failing;
      await withIdempotency(attempt, respond);
      return undefined;
    },
  })) as unknown as Table['rows'];
  const late = withIdempotency({ ...attempt, table: { ...table, rows } }, respond);
  await expect(late).rejects.toMatchObject({ code: 'conflict' });
  expect(respond).toHaveBeenCalledOnce();
});

test('what was done is answered as done, and not done again at once, when its answer cannot be kept', async () => {
  const { table } = await system.newOrganization();
  let puts = 0;
  /** The second write is the one that keeps the answer. */
  const rows = ((kind: never) => ({
    ...table.rows(kind),
    put: (...args: [never, never]) =>
      ++puts === 2 ? Promise.reject(new Error('throttled')) : table.rows(kind).put(...args),
  })) as unknown as Table['rows'];
  const respond = vi.fn(async () => ({ made: 1 }));
  const errors = vi.spyOn(log, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const attempt = { table, key: 'lost', event };
  expect(await withIdempotency({ ...attempt, table: { ...table, rows } }, respond)).toEqual({ made: 1 });
  await expect(withIdempotency(attempt, respond)).rejects.toMatchObject({ code: 'conflict' });
  expect(respond).toHaveBeenCalledOnce();
  expect(errors).toHaveBeenCalledOnce();
});
