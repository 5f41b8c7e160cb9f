import { afterAll, afterEach, expect, test } from 'vitest';
import { openViews } from '#functions/workers/views/list.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { exposedServices, products } from '#shared/assets/inventory/product.ts';
import { readSoftware } from '#shared/assets/inventory/together.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { elapsedMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { advisoryGroups, fixGroups } from '#shared/vulnerabilities/vulnerability/vulnerability-group.ts';
import { CALM, type Plan, planOf, redriveAll, seeds, startFaultyWorld, upTo } from '../../../support/fault-plan.ts';
import { expectSound } from './expectations.ts';
import { codeScan, networkScan, nmap } from './reports.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const start = Date.parse('2026-01-15T08:00:00.250Z');
const MINUTE = 60_000;
const ADDRESSES = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const CVES = ['CVE-2021-44228', 'CVE-2021-45046', 'CVE-2021-45105'];
const PACKAGES = ['log4j-core', 'openssl'];

/** A part of some values, by the dice. */
const some = <T>(plan: Plan, all: readonly T[]): T[] => all.filter(() => plan.random() < 0.6);

/** Hosts with services, of which a later scan sees others. */
const ofPorts = (plan: Plan): Submission =>
  networkScan(nmap(ADDRESSES.map((address) => ({ address, ports: some(plan, [22, 80, 443]) }))));

/** Vulnerabilities of packages on the same hosts, by one of two tools. */
function ofPackages(plan: Plan): Submission {
  const findings = ADDRESSES.flatMap((value) =>
    some(plan, CVES).flatMap((cve) =>
      some(plan, PACKAGES).map((name) => ({
        title: `${cve} in ${name}`,
        severity: 'high',
        ruleId: cve,
        cves: [cve],
        component: { name, version: '2.14.1', fixedVersions: ['2.17.1'] },
        asset: { type: 'host', value },
      })),
    ),
  );
  const content = JSON.stringify({ tool: plan.random() < 0.5 ? 'trivy' : 'grype', findings });
  return networkScan(content, { format: 'generic', scanType: 'packages' });
}

/** The packages of a repository. */
function ofBill(plan: Plan): Submission {
  const components = some(plan, ['left', 'right', 'up']).map((name) => ({ type: 'library', name, version: '1.0' }));
  return codeScan(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components }), { format: 'cyclonedx' });
}

const KINDS = [ofPorts, ofPackages, ofPackages, ofBill];
const reportsOf = (plan: Plan): Submission[] =>
  Array.from({ length: 4 + upTo(plan, 4) }, () => (KINDS[upTo(plan, KINDS.length)] ?? ofPackages)(plan));

/** Sends every report again until it is accepted, as its sender does. */
async function acceptAll(table: Table, plan: Plan, reports: readonly Submission[]): Promise<void> {
  for (const [n, submission] of reports.entries()) {
    setClock(() => start + n * MINUTE);
    while ((await world.call(plan, () => world.accept(table, submission))) === undefined);
  }
  setClock(() => start + reports.length * MINUTE);
}

/** A time behind all that came before; a change of later than now would be waited for. */
let minutes = 20;
const later = (): number => {
  minutes += 10;
  return start + minutes * MINUTE;
};

/** Changes rest for three seconds before they are read: the clock runs meanwhile. */
async function follow(table: Table): Promise<void> {
  const [from, began] = [later(), elapsedMs()];
  setClock(() => Math.floor(from + (elapsedMs() - began) * 20));
  await keepViews(table, await openViews(world.connections), () => false);
}

const page = { paginateFrom: 0, paginateSize: 500 };
const byText = (all: readonly object[]): string[] => all.map((one) => JSON.stringify(one)).toSorted();

/** Everything that people read of assets and vulnerabilities, without ids and the moments of the readers. */
async function knowable(table: Table) {
  const [found, current, groups, fixes, listed, served] = await Promise.all([
    table.list(vulnerabilities, page),
    table.list(assets, page),
    table.list(advisoryGroups, page),
    table.list(fixGroups, page),
    table.list(products, page),
    table.list(exposedServices, page),
  ]);
  const whole = await Promise.all(current.data.map(({ id }) => table.get(assets, id)));
  const software = await Promise.all(
    whole.map((asset) => readSoftware(world.connections.bucket, table.organizationId, asset)),
  );
  return {
    vulnerabilities: byText(
      found.data.map(({ advisoryId, component, asset, status, severity, tools, findingsCount, firstSeenAt }) => {
        const of = { advisoryId, component, asset: asset.name };
        return { ...of, status, severity, tools, findingsCount, firstSeenAt };
      }),
    ),
    assets: byText(
      whole.map(({ name, services = [], sources }, n) => {
        const names = software[n]?.map((one) => one.name).toSorted();
        return { name, ports: services.map(({ port }) => port), names, sources };
      }),
    ),
    groups: byText([...groups.data, ...fixes.data].map(({ name, open, assets: n, fix }) => ({ name, open, n, fix }))),
    products: byText(listed.data.map(({ product, assets: n, findings }) => ({ product, n, findings }))),
    services: byText(served.data.map(({ port, service, assets: n }) => ({ port, service, n }))),
  };
}

async function expectExact(table: Table): Promise<void> {
  await expectSound(table);
  for (const entity of [vulnerabilities, advisoryGroups, fixGroups, products, exposedServices])
    expect(await verify(table, entity as typeof vulnerabilities)).toMatchObject({ differences: [], unsettled: 0 });
}

/** The reader of the changes comes between the imports, and dies as they do. */
async function workWithReader(table: Table, plan: Plan): Promise<void> {
  world.begin(plan);
  while (world.messages.length > 0) {
    await world.deliverNext(plan, 0.6);
    if (plan.random() < 0.4)
      await world.risk(plan, { kills: 0.7, within: 8 }, () => follow(table)).catch(() => undefined);
  }
  const unsent = later();
  setClock(() => unsent);
  await redriveAll(world, plan);
  await follow(table);
}

test.each(seeds)(
  'plan %i of faults and kills brings every service, package and vulnerability of its reports once',
  async (seed) => {
    const plan = planOf(seed);
    const reports = reportsOf(plan);
    const [table, expected] = [world.newOrganization(), world.newOrganization()];
    world.begin(plan);
    await acceptAll(table, plan, reports);
    await workWithReader(table, plan);
    await acceptAll(expected, CALM, reports);
    await world.drain();
    await follow(expected);
    expect(await knowable(table)).toEqual(await knowable(expected));
    await expectExact(table);
  },
);
