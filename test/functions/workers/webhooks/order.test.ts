import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { github } from '#functions/code/webhooks/github.ts';
import { receive } from '#functions/code/webhooks/receive.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { countsOf } from '#shared/code/integrations/delivery-counts.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { newWebhookSecret } from '#shared/code/integrations/secret.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { planOf, seeds, startFaultyWorld, stepsBetween, workAll } from '../../../support/fault-plan.ts';
import { giveSealingKey, makeIntegration } from '../../../support/integrations.ts';
import { expectExact } from '../../../support/verify.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
giveSealingKey(world.connections);

type Sent = { event: string; id: string; body: object };

/** A step of a repository's life, with the branch that it concerns. */
const Step = fc.record({
  repository: fc.integer({ min: 0, max: 2 }),
  branch: fc.constantFrom('main', 'next', 'fix'),
  kind: fc.constantFrom('push', 'push', 'push', 'delete', 'rename', 'archive', 'unarchive', 'default'),
});
type Step = { repository: number; branch: string; kind: string };

/** The events of some steps in order, one a second, and the state in which they end. */
function lifeOf(steps: readonly Step[]): { sent: Sent[]; expected: Map<string, object> } {
  const life = [0, 1, 2].map((n) => ({
    name: `shop-${n}`,
    archived: false,
    default: 'main',
    heads: new Map<string, string>(),
  }));
  const touched = new Set<number>();
  const sent = steps.map(({ repository: n, branch, kind }, at): Sent => {
    const one = life[n];
    if (!one) throw new Error('a repository of the three');
    touched.add(n);
    const before = one.heads.get(branch) ?? '0'.repeat(40);
    const after = kind === 'push' ? at.toString(16).padStart(40, 'a') : '0'.repeat(40);
    const isPush = kind === 'push' || kind === 'delete';
    if (kind === 'push') one.heads.set(branch, after);
    if (kind === 'delete') one.heads.delete(branch);
    if (kind === 'rename') one.name = `shop-${n}-${at}`;
    if (kind === 'archive' || kind === 'unarchive') one.archived = kind === 'archive';
    if (kind === 'default') one.default = branch;
    const time = new Date(Date.parse('2026-11-01T08:00:00Z') + at * 1000).toISOString();
    const repository = {
      id: n + 1,
      name: one.name,
      full_name: `octo-shop/${one.name}`,
      owner: { login: 'octo-shop' },
      html_url: `https://github.com/octo-shop/${one.name}`,
      default_branch: one.default,
      archived: one.archived,
      private: true,
      updated_at: time,
      pushed_at: time,
    };
    const pushed = { ref: `refs/heads/${branch}`, before, after, deleted: kind === 'delete', at };
    const body = isPush ? { ...pushed, repository } : { action: kind, repository, at };
    return { event: isPush ? 'push' : 'repository', id: `${at}-${newId()}`, body };
  });
  const expected = life.flatMap(({ name, archived, default: defaultBranch, heads }, n) =>
    touched.has(n)
      ? [[String(n + 1), { name, archived, defaultBranch, heads: Object.fromEntries([...heads].toSorted()) }] as const]
      : [],
  );
  return { sent, expected: new Map(expected) };
}

const send = ({ event, id, body }: Sent, secret: string) => {
  const bytes = Buffer.from(JSON.stringify(body));
  const signature = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;
  const headers = { 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature };
  const cause = { operation: 'receiveCodehostA', requestId: id, ip: '192.0.2.1' };
  return receive(github, {
    connections: world.connections,
    cause,
    query: {},
    body: () => body as never,
    request: { headers, bytes },
  });
};

async function stateOf(table: Table): Promise<Map<string, object>> {
  const page = { paginateFrom: 0, paginateSize: 500 };
  const [kept, branches] = await Promise.all([table.list(repositories, page), table.list(codeBranches, page)]);
  return new Map(
    kept.data.map(({ id, externalId, name, archived, defaultBranch }) => {
      const mine = branches.data.filter((one) => one.repositoryId === id && one.status === 'active');
      const heads = mine.map((one) => [one.name, one.headCommit] as const).toSorted();
      return [externalId, { name, archived, defaultBranch, heads: Object.fromEntries(heads) }];
    }),
  );
}

test.each(seeds)(
  'plan %i: events in any order, some twice, with faults and kills, end in the state that they tell, each once',
  async (seed) => {
    const plan = planOf(seed);
    const [steps = []] = fc.sample(fc.array(Step, stepsBetween(20, 40)), { seed, numRuns: 1 });
    const { sent, expected } = lifeOf(steps);
    const table = world.newOrganization();
    const secret = newWebhookSecret();
    const { id } = await makeIntegration({ connections: world.connections, table }, { webhook: secret });
    const twice = sent.filter(() => plan.random() < 0.3);
    const shuffled = [...sent, ...twice].map((one) => [plan.random(), one] as const).toSorted(([a], [b]) => a - b);
    for (const [, one] of shuffled) {
      world.begin(plan);
      // the host sends it again until it is taken
      while (!(await world.call(plan, () => send(one, secret)))) world.begin({ ...plan, rates: {} });
      if (plan.random() < 0.5) await world.deliverNext(plan, 0.5);
    }
    await workAll(world, plan);
    expect(await stateOf(table)).toEqual(expected);
    const current = await table.list(assets, { paginateFrom: 0, paginateSize: 10 });
    expect(current.data.map(({ value, retiredAt }) => [value, Boolean(retiredAt)]).toSorted()).toEqual(
      [...expected.values()]
        .map((one) => [`https://github.com/octo-shop/${Object(one).name}`, Object(one).archived])
        .toSorted(),
    );
    const counts = (await countsOf(table, id)).map(({ value, count }) => [value, count]);
    const kinds = Map.groupBy(sent, ({ event }) => event);
    expect(counts.toSorted()).toEqual([...kinds].map(([event, all]) => [event, all.length]).toSorted());
    await expectExact(table, [repositories, codeBranches, assets, integrations]);
  },
);
