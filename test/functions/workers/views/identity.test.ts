import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { identityFollower } from '#functions/workers/views/identity/follow.ts';
import { openViews } from '#functions/workers/views/list.ts';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { exposedServices, products } from '#shared/assets/inventory/product.ts';
import { settingRows } from '#shared/credentials/organization-settings.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { elapsedMs, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { CALM, type Plan, planOf, redriveAll, seeds, startFaultyWorld } from '../../../support/fault-plan.ts';
import { runs } from '../../../support/tier.ts';
import { expectSound } from '../imports/expectations.ts';
import { codeScan } from '../imports/reports.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const page = { paginateFrom: 0, paginateSize: 500 };

/** Moves the clock ahead and lets it run so many times as fast. It never goes back: merges are parted in the opposite order. */
function runClock({ ahead = 0, speed = 1 }: { ahead?: number; speed?: number } = {}): void {
  const [from, start] = [nowMs() + ahead, elapsedMs()];
  setClock(() => Math.floor(from + (elapsedMs() - start) * speed));
}

/** Changes rest for three seconds before they are read; here the clock runs faster. */
async function follow(table: Table): Promise<void> {
  runClock({ speed: 20 });
  const { connections } = world;
  try {
    await keepViews(table, await openViews(connections), () => false, identityFollower({ connections, table }));
  } finally {
    runClock();
  }
}

/** Follows and works the merges until nothing is left to do. */
async function settle(table: Table): Promise<void> {
  await follow(table);
  while (world.messages.length > 0) {
    await world.drain();
    await follow(table);
  }
}

type Item = { type: string; value: string; identifiers: Record<string, unknown>; services?: object[] };

const listed = (table: Table, items: readonly Item[]) =>
  world.ingest(
    table,
    codeScan(JSON.stringify({ assets: items }), { format: 'inventory', target: undefined, ref: undefined }),
  );

const KINDS = ['serialNumber', 'macs', 'hostnames', 'fqdns', 'ips'] as const;
type Kind = (typeof KINDS)[number];

/** How a tool sees the machine of a number: under a name of its own, with some of its identifiers. */
const seenBy = (n: number, tool: string, known: readonly Kind[]): Item => {
  const all = {
    serialNumber: `5CG8431XY${n}`,
    macs: [`0a:1b:2c:3d:4e:0${n}`],
    hostnames: [`machine-${n}`],
    fqdns: [`machine-${n}.example.com`],
    ips: [`10.0.0.${n}`],
  };
  return {
    type: tool === 'cloud' ? 'cloud_resource' : 'edr_device',
    value: `${tool}-${n}`,
    identifiers: Object.fromEntries(known.map((kind) => [kind, all[kind]])),
    services: [{ port: 1000 + n, protocol: 'tcp', service: tool }],
  };
};

/** Shared by machines that are different ones. */
const STRANGERS: Item[] = [
  {
    type: 'cloud_resource',
    value: 'balancer',
    identifiers: { fqdns: ['machine-0.example.com'], ips: ['10.0.0.0', '10.0.0.1'] },
  },
  {
    type: 'edr_device',
    value: 'spare-1',
    identifiers: { serialNumber: 'To be filled by O.E.M.', macs: ['02:42:ac:11:00:02'] },
  },
  {
    type: 'edr_device',
    value: 'spare-2',
    identifiers: { serialNumber: 'To be filled by O.E.M.', macs: ['02:42:ac:11:00:02'] },
  },
  { type: 'edr_device', value: 'successor', identifiers: { macs: ['0a:1b:2c:3d:4e:ff'], ips: ['10.0.0.1'] } },
];

const namesOf = ({ value, aliases = [] }: Asset): string =>
  [value, ...aliases.map((one) => one.value)].sort().join(' ');

/** The assets by all of their names, the name that stays first, and the pairs that are suggested. */
async function outcome(table: Table) {
  const { data } = await table.list(assets, page);
  const names = new Map(data.map((asset) => [asset.id, namesOf(asset)]));
  const open = await table.list(mergeSuggestions, { ...page, where: { status: 'open' } });
  return {
    assets: [...names.values()].sort(),
    suggested: open.data
      .map(({ assetId, intoId, by }) => `${[names.get(assetId), names.get(intoId)].sort().join(' = ')} by ${by}`)
      .sort(),
  };
}

async function expectExactViews(table: Table): Promise<void> {
  await expectSound(table);
  for (const entity of [mergeSuggestions, mergedAssets, products, exposedServices])
    expect(await verify(table, entity as typeof assets)).toMatchObject({ differences: [], unsettled: 0 });
}

/** The services of all assets, counted anew. */
async function recounted(table: Table): Promise<string[]> {
  const { data } = await table.list(assets, page);
  const whole = await Promise.all(data.map(({ id }) => table.get(assets, id)));
  const counts = Map.groupBy(
    whole.flatMap(({ services = [] }) => services),
    ({ service, port }) => `${port} ${service}`,
  );
  return [...counts].map(([key, all]) => `${key} ${all.length}`).sort();
}
const counted = async (table: Table): Promise<string[]> =>
  (await table.list(exposedServices, page)).data
    .map(({ port, service, assets: n }) => `${port} ${service} ${n}`)
    .sort();

const sightings = fc
  .tuple(
    ...[0, 1].flatMap((n) =>
      ['scan', 'agent', 'cloud'].map((tool) => fc.subarray([...KINDS]).map((known) => seenBy(n, tool, known))),
    ),
  )
  .map((seen) => [...seen, ...STRANGERS]);

describe('assets that tools name', () => {
  test('in any order and in any parts end as the same assets with the same suggestions, and counters equal a recount', async () => {
    const orders = sightings.chain((items) =>
      fc.tuple(
        ...[0, 1].map(() =>
          fc.tuple(fc.shuffledSubarray(items, { minLength: items.length }), fc.array(fc.nat(6), { maxLength: 4 })),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(orders, async (both) => {
        const outcomes = [];
        for (const [items, parts] of both) {
          const table = world.newOrganization();
          for (let left = items, n = 0; left.length > 0; n++) {
            const size = (parts[n] ?? items.length) + 1;
            await listed(table, left.slice(0, size));
            await settle(table);
            left = left.slice(size);
          }
          expect(await counted(table)).toEqual(await recounted(table));
          await expectExactViews(table);
          outcomes.push(await outcome(table));
        }
        expect(outcomes[0]).toEqual(outcomes[1]);
      }),
      { numRuns: runs(2, 6) },
    );
  });
});

/** Everything that a person sees of the assets, by name. */
async function shown(table: Table) {
  const { data } = await table.list(assets, page);
  const whole = await Promise.all(data.map(({ id }) => table.get(assets, id)));
  return Object.fromEntries(
    whole.map(({ value, name, identifiers, services, inventory = [], tags, sources, aliases }) => [
      value,
      {
        name,
        identifiers,
        services,
        tags,
        sources,
        aliases,
        told: inventory.map(({ source, hash }) => [source, hash]),
      },
    ]),
  );
}

async function undoAll(table: Table): Promise<void> {
  for (;;) {
    const { data } = await table.list(mergedAssets, page);
    const [last] = data.toSorted((a, b) => ((a.mergedInto?.at ?? '') > (b.mergedInto?.at ?? '') ? -1 : 1));
    if (!last?.mergedInto) return;
    await queueMergeUndo({ connections: world.connections, table }, last.mergedInto.taskId);
    await world.drain();
  }
}

const FLEET = [
  ...[0, 1, 2].flatMap((n) => [
    seenBy(n, 'scan', ['macs', 'ips']),
    seenBy(n, 'agent', ['macs', 'hostnames', 'serialNumber']),
    seenBy(n, 'cloud', ['serialNumber']),
    seenBy(n, 'other', ['ips', 'hostnames']),
  ]),
  ...STRANGERS,
];

async function workUnder(plan: Plan, table: Table): Promise<void> {
  world.begin(plan);
  for (let tries = 0; tries < 30; tries++) {
    const run = () => world.risk(plan, { kills: 0.7, within: 25 }, () => follow(table)).catch(() => undefined);
    const ended = await run();
    await world.deliverAll(plan, 0.4);
    if (ended && !ended.died && world.messages.length === 0) break;
  }
  runClock({ ahead: 3 * 60_000 });
  await redriveAll(world, CALM);
  world.begin(CALM);
  await settle(table);
}

test.each(seeds)(
  'plan %i of faults and kills merges each machine once, and undoing all of it leaves what was, for good',
  async (seed) => {
    const apart = world.newOrganization();
    await apart.rows(settingRows).put({ mergeSameAssets: false, version: 1 });
    await listed(apart, FLEET);
    const calm = world.newOrganization();
    await listed(calm, FLEET);
    await settle(calm);
    const table = world.newOrganization();
    await listed(table, FLEET);
    await workUnder(planOf(seed), table);
    expect(await outcome(table)).toEqual(await outcome(calm));
    expect((await outcome(table)).assets).toEqual(
      expect.arrayContaining([0, 1, 2].map((n) => `agent-${n} cloud-${n} other-${n} scan-${n}`)),
    );
    await expectExactViews(table);
    await undoAll(table);
    await settle(table);
    expect(await shown(table)).toEqual(await shown(apart));
    expect(await counted(table)).toEqual(await recounted(table));
    await expectExactViews(table);
  },
);
