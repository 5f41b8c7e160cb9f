import { afterAll, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { queueSync } from '#shared/code/code-hosts/sync.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { openNetwork } from '#shared/platform/runtime/network.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Github, githubRepository, startGithub, TOKEN } from '../../../support/code-hosts/github.ts';
import type { Reply } from '../../../support/code-hosts/server.ts';
import { type Plan, planOf, redriveAll, seeds, startFaultyWorld, upTo, workAll } from '../../../support/fault-plan.ts';
import { giveSealingKey, makeIntegration } from '../../../support/integrations.ts';
import { expectExact } from '../../../support/verify.ts';

const world = await startFaultyWorld();
const hub = await startGithub();
afterAll(async () => {
  setClock();
  await Promise.all([world.stop(), hub.stop()]);
});
giveSealingKey(world.connections);
Object.assign(world.connections, { network: openNetwork({ CODE_HOSTS_PRIVATE: '1' }) });

const REFUSALS: Reply[] = [
  { status: 502, body: { message: 'bad gateway' } },
  { status: 429, headers: { 'retry-after': '30' }, body: { message: 'slow down' } },
  { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }, body: { message: 'limit' } },
  {
    status: 403,
    headers: { 'x-ratelimit-remaining': '4000' },
    body: { message: 'You have exceeded a secondary rate limit.' },
  },
];

const sha = (n: number) => n.toString(16).padStart(40, 'a');

/** The account as it is next: some repositories came, went, moved their heads, or were archived. */
function change(plan: Plan): void {
  const ids = [1, 2, 3, 4, 5, 6].filter(() => plan.random() < 0.7);
  const one = (id: number) => {
    const names = ['main', 'next', 'fix'].filter((name) => name === 'main' || plan.random() < 0.5);
    const heads = Object.fromEntries(names.map((name) => [name, { sha: sha(upTo(plan, 1e6)) }]));
    return githubRepository(id, `shop-${id}`, { archived: plan.random() < 0.2, heads });
  };
  hub.repositories.splice(0, 9, ...ids.map(one));
}

const expected = ({ repositories: all }: Github) =>
  Object.fromEntries(
    all.map(({ name, archived, heads }) => [
      name,
      { archived, heads: Object.fromEntries(Object.entries(heads).map(([branch, { sha: head }]) => [branch, head])) },
    ]),
  );

async function stateOf(table: Table) {
  const page = { paginateFrom: 0, paginateSize: 500 };
  const [kept, branches] = await Promise.all([table.list(repositories, page), table.list(codeBranches, page)]);
  const shown = kept.data.filter(({ status }) => status !== 'inaccessible');
  return Object.fromEntries(
    shown.map(({ id, name, archived }) => {
      const mine = branches.data.filter((one) => one.repositoryId === id && one.status === 'active');
      return [name, { archived, heads: Object.fromEntries(mine.map((one) => [one.name, one.headCommit])) }];
    }),
  );
}

test.each(seeds)(
  'plan %i: a sync ends with what the host shows, however often the host refuses, requests fail and workers die',
  async (seed) => {
    const plan = planOf(seed);
    const table = world.newOrganization();
    const access = { token: TOKEN };
    const settings = { baseUrl: hub.url, access: 'token' as const };
    const { id } = await makeIntegration(
      { connections: world.connections, table },
      { webhook: 'whsec_x', access },
      settings,
    );
    for (let round = 0; round < 3; round++) {
      change(plan);
      const aheadMs = nowMs() + 60_000 - Date.now();
      setClock(() => Date.now() + aheadMs);
      hub.fail(...REFUSALS.filter(() => plan.random() < 0.5));
      world.begin(plan);
      while (!(await world.call(plan, () => queueSync({ connections: world.connections, table }, id))))
        world.begin(plan);
      await workAll(world, plan);
      for (let waits = 0; (await table.get(integrations, id, true)).lastSyncAt === null || waits < 3; waits++) {
        expect(waits).toBeLessThan(20);
        const later = nowMs() + 3 * 3_600_000;
        setClock(() => later);
        await redriveAll(world, plan);
      }
      expect(await stateOf(table)).toEqual(expected(hub));
      expect(await table.get(integrations, id, true)).toMatchObject({ status: 'connected', error: null });
    }
    await expectExact(table, [repositories, codeBranches, assets, integrations]);
  },
  120_000,
);
