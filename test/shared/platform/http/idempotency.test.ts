import { expect, onTestFinished, test, vi } from 'vitest';
import { importRoutes } from '#functions/ingest/import/routes.ts';
import { withIdempotency } from '#shared/platform/http/idempotency.ts';
import { log } from '#shared/platform/runtime/log.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startSystem } from '../../../support/system.ts';

const system = startSystem();
const route = importRoutes.importFindings;
const match = { name: 'importFindings', route, params: {} };
const event = { match, rawPath: route.path, rawQueryString: '', headers: {}, sent: '{}' };

test('a request whose answer is too large to store is answered and not carried out twice', async () => {
  const { table } = await system.newOrganization();
  const respond = vi.fn(async () => ({ text: '語'.repeat(200_000) }));
  const attempt = { table, key: 'large', event };
  expect(await withIdempotency(attempt, respond)).toEqual(await respond.mock.results[0]?.value);
  await expect(withIdempotency(attempt, respond)).rejects.toMatchObject({ code: 'conflict' });
  expect(respond).toHaveBeenCalledOnce();
});

test('only one of two requests that arrive while an attempt fails is carried out', async () => {
  const { table } = await system.newOrganization();
  const attempt = { table, key: 'twice', event };
  const respond = vi.fn(async () => ({}));
  const [started, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failing = withIdempotency(attempt, () => {
    started.resolve();
    return failed.promise;
  }).catch(() => undefined);
  await started.promise;
  /** The late request finds the failed attempt removed, and the other request arrives before it continues. */
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

test('a request whose answer cannot be stored is answered and not carried out again at once', async () => {
  const { table } = await system.newOrganization();
  let puts = 0;
  /** The second write stores the answer. */
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
