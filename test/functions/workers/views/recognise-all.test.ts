import { afterAll, expect, test } from 'vitest';
import { queueMaintenance } from '#functions/people/organizations/queue.ts';
import { identityFollower } from '#functions/workers/views/identity/follow.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { eventually } from '../../../support/wait.ts';
import { codeScan } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const page = { paginateFrom: 0, paginateSize: 500 };

const device = (value: string, serialNumber: string, ips: string[]) => ({
  type: 'edr_device',
  value,
  identifiers: { serialNumber, ips },
});

test('after an upgrade the maintenance of views finds assets that are one, and those that may be', async () => {
  const table = world.newOrganization();
  const items = [
    ...Array.from({ length: 60 }, (_, n) => device(`other-${n}`, `5CG8431YZ${n + 10}`, [])),
    device('edr-1', '5CG8431XY1', ['10.0.0.1']),
    device('scan-1', '5CG8431XY1', ['10.0.0.9']),
    { type: 'edr_device', value: 'cloud-1', identifiers: { ips: ['10.0.0.1'] } },
  ];
  const report = codeScan(JSON.stringify({ assets: items }), {
    format: 'inventory',
    target: undefined,
    ref: undefined,
  });
  await world.ingest(table, report);
  expect((await table.list(assets, page)).totalCount).toBe(63);
  const { taskId } = await queueMaintenance(
    { connections: world.connections, table },
    { work: 'views', repair: false },
  );
  await world.drain();
  expect(await world.task(table, taskId)).toMatchObject({ status: 'succeeded', result: { compared: 63 } });
  const { data, totalCount } = await table.list(assets, page);
  expect(totalCount).toBe(62);
  expect(data.flatMap(({ aliases = [] }) => aliases)).toHaveLength(1);
  // the merge may have moved the address: the follower of changes then sees it on the other asset
  await eventually(async () => {
    await keepViews(table, [], () => false, identityFollower({ connections: world.connections, table }));
    await world.drain();
    expect((await table.list(mergeSuggestions, page)).data).toMatchObject([{ status: 'open' }]);
  });
});
