import { afterAll, expect, test, vi } from 'vitest';
import { jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { codeScan, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const report = codeScan(sarif([{ rule: 'sqli', file: 'a.ts', level: 'error' }]));

test('an import wakes the views of its organization, which show what it brought within seconds', async () => {
  const send = vi.spyOn(world.connections.queues, 'send');
  const table = world.newOrganization();
  await world.ingest(table, report);
  const woken = send.mock.calls.filter(([queue]) => queue === queueName(jobs.views));
  expect(woken.map(([, message]) => message)).toEqual([{ organizationId: table.organizationId }]);
  send.mockRestore();
});

test('an import succeeds also when the views cannot be woken', async () => {
  const { queues } = world.connections;
  const { send } = queues;
  queues.send = async (queue, ...more) => {
    if (queue === queueName(jobs.views)) throw new Error('the queue does not answer');
    return send(queue, ...more);
  };
  expect(await world.ingest(world.newOrganization(), report)).toMatchObject({ status: 'succeeded' });
  queues.send = send;
});
