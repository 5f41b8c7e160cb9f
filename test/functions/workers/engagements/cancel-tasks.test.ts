import { expect, test } from 'vitest';
import { cancelAll } from '#functions/workers/engagements/cancel-tasks.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { PresenceMoved } from '#shared/scanning/machines/save-presence.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();

test('a scan whose scanner is too busy for the cancellation does not count as ended', async () => {
  const world = newWorld(store.dynamo);
  const { id } = await world.engage(['10.0.0.1']);
  const scanner = await world.link();
  await world.poll(scanner.id);
  const busy = store.connect();
  const before = (command: string) => {
    if (command.startsWith('TransactWrite')) throw new PresenceMoved();
  };
  const end = injectFaults(busy, { random: () => 1, before });
  const cancel = () => cancelAll(openTable(busy, world.table.organizationId), id, 0);
  // no error of a request either, which would end the worker's task as failed
  await expect(cancel()).rejects.not.toBeInstanceOf(ApiError);
  end();
  await cancel();
  expect(await world.tasks()).toMatchObject([{ status: 'running', cancelRequestedAt: expect.any(String) }]);
});
