import { afterAll, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { type Hosted, keepRepository } from '#shared/code/sync/keep-repository.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { makeVictim } from '../../../functions/workers/imports/crash.ts';
import { startWorld } from '../../../functions/workers/imports/world.ts';

const world = await startWorld();
const victim = await makeVictim(world.connections);
afterAll(() => world.stop());

const announced = (name: string, day: number) => ({
  externalId: '7',
  at: `2026-11-0${day}T08:00:00.000Z`,
  facts: { fullName: `octo-shop/${name}`, name, url: `https://github.com/octo-shop/${name}` },
});

test('a worker that dies while it makes a repository leaves no asset of a name that the repository then loses', async () => {
  for (let write = 1, died = true; died; write++) {
    const table = world.newOrganization();
    const { connections } = world;
    const hosted: Hosted = {
      connections,
      table,
      integrationId: newId(),
      vendor: 'codehost_a',
      host: 'github.com',
      receivedAt: new Date().toISOString(),
    };
    victim.killAt(write, 'after');
    await keepRepository(hosted, announced('old', 1)).catch(() => undefined);
    died = victim.isDead();
    victim.restart();
    await keepRepository(hosted, announced('new', 2));
    await keepRepository(hosted, announced('old', 1));
    const { data } = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
    expect(data.map(({ value }) => value)).toEqual(['https://github.com/octo-shop/new']);
  }
});
