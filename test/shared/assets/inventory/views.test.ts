import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { showProduct, showService } from '#shared/assets/inventory/aggregations.ts';
import { exposedServices, mostFirst, products } from '#shared/assets/inventory/product.ts';
import { serviceView } from '#shared/assets/inventory/service-view.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { productView } from '#shared/findings/view/product-view.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();
const VIEWS = [productView, serviceView];

/** Time goes a thousand times as fast, so that changes need not rest, and never back. */
const [start, began] = [Date.now(), performance.now()];
setClock(() => Math.floor(start + (performance.now() - began) * 1000));

const service = fc.record({
  port: fc.constantFrom(22, 443),
  protocol: fc.constant('tcp'),
  service: fc.constantFrom('ssh', null),
  product: fc.constantFrom('OpenSSH', 'openssh', null),
  version: fc.constantFrom('9.6', null),
  cpe: fc.constant(null),
});
const hostFacts = fc
  .record({
    internetExposed: fc.constantFrom(true, null),
    retiredAt: fc.constantFrom(null, null, '2026-01-15T08:00:00.000Z'),
    services: fc.uniqueArray(service, { maxLength: 2, selector: ({ port }) => port }),
  })
  .map(({ services, ...rest }) => ({
    ...rest,
    services,
    products: services.flatMap(({ product, version, cpe }) =>
      product ? [{ vendor: null, product, version, cpe }] : [],
    ),
  }));
const step = fc.record({
  host: fc.nat(2),
  facts: fc.option(hostFacts),
  finding: fc.option(
    fc.record({ name: fc.constantFrom('openssh', 'log4j'), status: fc.constantFrom('open', 'fixed') }),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const host = (n: number) => ({
  type: 'host',
  value: `host-${n}`,
  zone: null,
  name: `host-${n}`,
  criticality: 'medium',
  tags: [],
  firstSeenAt: now(),
});

type World = { table: Table; hosts: Map<number, Asset>; open: StoredFinding[] };

/** A host comes, changes or goes; on it a finding comes, or another one is closed. */
async function take(world: World, { host: n, facts, finding }: Step): Promise<void> {
  const { table, hosts, open } = world;
  const current = hosts.get(n);
  if (current && !facts) {
    await table.delete(assets, current);
    hosts.delete(n);
  } else if (facts) {
    const next = current
      ? await table.update(assets, current, facts)
      : await table.create<Asset, never>(assets as never, { ...host(n), ...facts } as never);
    hosts.set(n, await table.get(assets, next.id));
  }
  const asset = { id: hosts.get(n)?.id ?? newId(), type: 'host' as const, name: `host-${n}`, zone: null };
  const closed = finding?.status === 'fixed' ? open.pop() : undefined;
  if (closed) await table.update(findings, closed, { status: 'fixed' });
  if (finding?.status !== 'open') return;
  const component = { name: finding.name, version: '9.6', fixedVersions: [] };
  open.push(await table.create(findings, findingDraft(now(), { asset, component, severity: 'high' })));
}

async function everything(table: Table) {
  const page = { paginateFrom: 0, paginateSize: 500 };
  const [some, others] = await Promise.all([table.list(products, page), table.list(exposedServices, page)]);
  return {
    products: inOrder(
      some.data
        .map(showProduct)
        .map(({ product, version, assets: on, findings: { high } }) => [...[product.toLowerCase(), version, on, high]]),
    ),
    services: inOrder(others.data.map(showService).map((one) => Object.values(one))),
  };
}

const inOrder = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

/** The same, counted anew. */
function recount({ hosts, open }: World) {
  const current = [...hosts.values()].filter(({ retiredAt }) => !retiredAt);
  const named = current.flatMap(({ id, products: own = [] }) =>
    own.map(({ product, version }) => ({ asset: id, key: [product.toLowerCase(), version], high: 0 })),
  );
  const found = open
    .filter(({ status }) => isOpen(status))
    .map(({ asset, component }) => ({ asset: asset.id, key: [component?.name, component?.version], high: 1 }));
  const byProduct = Map.groupBy([...named, ...found], ({ key }) => JSON.stringify(key));
  const answering = current.flatMap(({ services = [], internetExposed }) =>
    services.map((one) => ({ key: [one.service, one.port, one.protocol], exposed: internetExposed ? 1 : 0 })),
  );
  const byService = Map.groupBy(answering, ({ key }) => JSON.stringify(key));
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    products: inOrder(
      [...byProduct.values()].map((all) => [
        ...(all[0]?.key ?? []),
        new Set(all.map(({ asset }) => asset)).size,
        sum(all.map(({ high }) => high)),
      ]),
    ),
    services: inOrder(
      [...byService.values()].map((all) => [
        ...(all[0]?.key ?? []),
        all.length,
        sum(all.map(({ exposed }) => exposed)),
      ]),
    ),
  };
}

test('however assets and findings come, change and go, products and services are counted as a recount does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { minLength: 1, maxLength: 3 }), async (rounds) => {
      const world: World = { table: newOrganization(store.dynamo), hosts: new Map(), open: [] };
      for (const steps of rounds) {
        for (const one of steps) await take(world, one);
        await keepViews(world.table, VIEWS, () => false);
        expect(await everything(world.table)).toEqual(recount(world));
      }
      for (const entity of [products, exposedServices])
        expect((await verify(world.table, entity as never)).differences).toEqual([]);
    }),
    { numRuns: runs(2, 12), endOnFailure: true },
  );
});

test('large numbers come first, and those that differ by less than an eighth may share a place', () => {
  fc.assert(
    fc.property(fc.nat(10 ** 9), fc.nat(10 ** 9), (a, b) => {
      if (a > b * 1.15) expect(mostFirst(a) < mostFirst(b)).toBe(true);
      if (a >= b) expect(mostFirst(a) <= mostFirst(b)).toBe(true);
      if (a <= 16 && b <= 16 && a !== b) expect(mostFirst(a)).not.toBe(mostFirst(b));
    }),
  );
});
