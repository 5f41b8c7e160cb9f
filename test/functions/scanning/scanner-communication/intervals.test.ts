import { beforeAll, expect, test } from 'vitest';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { injectFaults } from '../../../support/faults.ts';
import { putPool } from '../../../support/scanning.ts';
import { newWorld, stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
beforeAll(() => {
  clock = stopClock();
});

const isHintRemoval = (input: object) => 'UpdateExpression' in input && input.UpdateExpression === 'REMOVE #q';

/** Does something just before the stamp of an emptied queue is taken away. */
function beforeHintIsCleared({ client }: Dynamo, act: () => Promise<unknown>): void {
  let isFirst = true;
  client.middlewareStack.add(
    (next) => async (args) => {
      if (isFirst && isHintRemoval(args.input)) {
        isFirst = false;
        await act();
      }
      return next(args);
    },
    { step: 'initialize' },
  );
}

test('a task that begins to wait while the last of its queue is taken is found by the next poll', async () => {
  const dynamo = store.connect();
  const table = newOrganization(dynamo);
  const world = newWorld(dynamo, table);
  const operator = newWorld(store.dynamo, openTable(store.dynamo, table.organizationId));
  const scanner = await world.link();
  await world.engage(['10.0.0.1']);
  beforeHintIsCleared(dynamo, () => operator.engage(['10.0.0.2']));
  const taken = [await world.poll(scanner.id), await world.poll(scanner.id)].flatMap(({ tasks }) => tasks);
  expect(taken.map(({ target }) => target.value)).toEqual(['10.0.0.1', '10.0.0.2']);
});

test('tasks that were recorded as leased are handed out, also when the hint of their queue cannot be cleared', async () => {
  const dynamo = store.connect();
  const world = newWorld(dynamo);
  const scanner = await world.link();
  await world.engage(['10.0.0.1']);
  const before = (_: string, input: object) => {
    if (isHintRemoval(input)) throw new Error('injected outage');
  };
  const end = injectFaults(dynamo, { random: () => 1, before });
  expect((await world.poll(scanner.id)).tasks).toHaveLength(1);
  end();
  expect((await world.poll(scanner.id)).tasks).toEqual([]);
});

test('a busy shared scanner polls rarely once nothing waits in its pool, and soon while another client does', async () => {
  const provider = newWorld(store.connect());
  const clients = [newWorld(store.dynamo), newWorld(store.dynamo)];
  const poolId = newId();
  await putPool(store.dynamo, { poolId, providerId: provider.table.organizationId });
  const scanner = await provider.link({ publicGroupIds: [poolId] });
  for (const { engage } of clients) await engage(['192.0.2.1'], { more: { publicScannerGroupId: poolId } });
  const busy = { capacity: 0 };
  expect(await provider.poll(scanner.id)).toMatchObject({ tasks: [{}], pollAfterSeconds: 5 });
  clock.pass(61);
  expect((await provider.poll(scanner.id, busy)).pollAfterSeconds).toBe(15);
  const last = await provider.poll(scanner.id);
  expect(last.tasks).toHaveLength(1);
  expect(last.pollAfterSeconds).toBeGreaterThanOrEqual(60);
  clock.pass(61);
  expect((await provider.poll(scanner.id, busy)).pollAfterSeconds).toBeGreaterThanOrEqual(60);
  await clients[0]?.engage(['192.0.2.2'], { more: { publicScannerGroupId: poolId } });
  expect((await provider.poll(scanner.id)).tasks).toHaveLength(1);
});
