import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Facts } from '#shared/advisories/facts.ts';
import { assets } from '#shared/entities/asset.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { isOpen } from '#shared/entities/finding-status.ts';
import { type StoredVulnerability, type VulnerabilityFacts, vulnerabilities } from '#shared/entities/vulnerability.ts';
import { advisoryGroups, fixGroups } from '#shared/entities/vulnerability-group.ts';
import { now, setClock } from '#shared/runtime/clock.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import { ordinalsOf } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { verify } from '#shared/table/upkeep/verify.ts';
import { changeBag } from '#shared/views/bag.ts';
import { keepViews } from '#shared/views/follow.ts';
import { renew } from '#shared/views/renew.ts';
import { purlOfComponent, vulnerabilitiesOf } from '#shared/vulnerabilities/contributions.ts';
import { decide } from '#shared/vulnerabilities/decide.ts';
import { foldVulnerability } from '#shared/vulnerabilities/fold.ts';
import { advisoryGroupView, fixGroupView } from '#shared/vulnerabilities/groups.ts';
import { vulnerabilitiesOn } from '#shared/vulnerabilities/tagged.ts';
import { vulnerabilityView } from '#shared/vulnerabilities/view.ts';
import { newOrganization, useStore } from '#test/support/store.ts';
import { addFinding } from '#test/support/vulnerabilities.ts';

const store = useStore();

/** The feeds of the moment: each run begins with none. */
let today = { probability: 0, isExploited: false };
const feeds: Facts = {
  epss: (cve) =>
    cve === 'CVE-2021-44228' && today.probability > 0
      ? { probability: today.probability, percentile: 0.99 }
      : undefined,
  epssDate: '2026-01-01',
  kev: (cve) =>
    cve === 'CVE-2021-44228' && today.isExploited
      ? { addedAt: '2021-12-10', dueAt: '2021-12-24', ransomware: true }
      : undefined,
};

const view = vulnerabilityView(feeds);
const views = [view, advisoryGroupView, fixGroupView];

const PLACES = ['one', 'two'] as const;
const components = [
  { name: 'core', version: '1.0' },
  { name: 'core', version: '1.1' },
  { name: 'org.example:core', version: '1.1' },
  { name: 'core', version: '1.1', purl: 'pkg:maven/org.example/core@1.1?type=jar' },
].map((one) => ({ ...one, fixedVersions: [`${one.version}.9`] }));

const fields = fc.record({
  place: fc.constantFrom(...PLACES),
  component: fc.constantFrom(undefined, ...components),
  cves: fc.subarray(['CVE-2021-44228', 'CVE-2021-45046', 'CVE-2021-45105']),
  ruleId: fc.constantFrom('GHSA-jfh8-c2jp-5v3q', 'some-rule'),
  tool: fc.constantFrom('trivy', 'grype'),
  severity: fc.constantFrom('critical', 'medium', 'low'),
  tags: fc.subarray(['payment', 'GHSA-7rjr-3q55-vv33']),
  stakes: fc.constantFrom(undefined, { exposed: true as const }, { criticality: 'critical' as const }),
  late: fc.constantFrom(undefined, true as const),
  cvssVector: fc.constantFrom(undefined, 'CVSS:3.1/AV:N', 'AV:N/AC:L'),
  cvssScore: fc.constantFrom(undefined, 5, 9.8),
});
const status = fc.constantFrom('open', 'in_progress', 'fixed', 'risk_accepted', 'false_positive', 'out_of_scope');

const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add'), fields }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move'), pick: fc.nat(), status, fields }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('feed'),
      probability: fc.constantFrom(0, 0.2, 0.97),
      isExploited: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('tag'),
      place: fc.constantFrom(...PLACES),
      tags: fc.subarray(['dmz', 'payment']),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide'),
      pick: fc.nat(),
      status: fc.constantFrom('open', 'in_progress', 'risk_accepted', 'false_positive'),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;

const everything = { paginateFrom: 0, paginateSize: 500 };

const assetDraft = (value: string) => ({
  ...{ type: 'host' as const, value, name: value, zone: null, criticality: 'medium' as const },
  ...{ internetExposed: null, tags: [], firstSeenAt: now() },
});

async function wholeOf<T>(ids: readonly { id: string }[], get: (id: string) => Promise<T>): Promise<T[]> {
  return Promise.all(ids.map(({ id }) => get(id)));
}

const allFindings = async (table: Table) =>
  wholeOf((await table.list(findings, everything)).data, (id) => table.get(findings, id));
const allVulnerabilities = async (table: Table) =>
  wholeOf((await table.list(vulnerabilities, everything)).data, (id) => table.get(vulnerabilities, id));

function picked<T>(all: readonly T[], pick: number): T | undefined {
  return all[pick % Math.max(1, all.length)];
}

const assetOf = async (table: Table, place: string) => {
  const found = (await table.list(assets, everything)).data.find(({ name }) => name === place);
  if (!found) throw new Error(`no asset ${place}`);
  return found;
};

async function placed(table: Table, { place, ...fields }: { place: string }): Promise<Partial<StoredFinding>> {
  const { id, type, name, zone } = await assetOf(table, place);
  return { ...fields, asset: { id, type, name, zone } };
}

/** The reader of the changes, and what it queues for assets with other tags. */
async function follow(table: Table): Promise<void> {
  const tagged = new Set<string>();
  await keepViews(
    table,
    views,
    () => false,
    async (told) => {
      for (const { change } of told) if (change?.entity === assets.name) tagged.add(change.id);
    },
  );
  await renew(table, view, await vulnerabilitiesOn(table, [...tagged]));
}

async function perform(table: Table, one: Operation): Promise<void> {
  if (one.kind === 'add') await addFinding(table, (await placed(table, one.fields)) as never, now());
  if (one.kind === 'follow') await follow(table);
  if (one.kind === 'tag') await table.update(assets, await assetOf(table, one.place), { tags: one.tags });
  if (one.kind === 'feed') {
    today = one;
    await renew(table, view, await ordinalsOf(table, vulnerabilities, {}));
  }
  if (one.kind === 'move') {
    const finding = picked(await allFindings(table), one.pick);
    const moved = one.status === 'fixed' ? { fixedAt: now() } : { fixedAt: undefined, reopenedAt: now() };
    if (finding)
      await table.update(findings, finding, {
        ...(await placed(table, one.fields)),
        ...({ status: one.status, ...moved } as Partial<StoredFinding>),
      });
  }
  if (one.kind === 'delete') {
    const finding = picked(await allFindings(table), one.pick);
    if (finding) await table.delete(findings, finding);
  }
  if (one.kind === 'decide') await decideOn(table, one);
}

async function decideOn(table: Table, { pick, status }: { pick: number; status: StoredVulnerability['status'] }) {
  const standing = picked(await allVulnerabilities(table), pick);
  if (!standing) return;
  try {
    const changes = decide(standing, { status, reason: 'a reason' }, { at: now(), approver: undefined });
    await table.update(vulnerabilities, standing, changes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The vulnerabilities of the findings when they are counted from nothing, with the decisions that stand. */
function recount(
  all: readonly StoredFinding[],
  { standing, tags }: { standing: readonly StoredVulnerability[]; tags: ReadonlyMap<string, string[]> },
) {
  const byKey = Map.groupBy(
    all.flatMap((one) => vulnerabilitiesOf(one)),
    ({ key }) => key,
  );
  return [...byKey].map(([key, of]) => {
    const added = of.map(({ facts }) => JSON.parse(JSON.stringify(facts)) as VulnerabilityFacts);
    const own = standing.find((one) => one.key === key);
    return foldVulnerability(changeBag<VulnerabilityFacts>([], { added, removed: [] }), own ?? { key }, {
      ...feeds,
      record: () => undefined,
      osv: () => [],
      tagsOfAsset: (id) => tags.get(id) ?? [],
    });
  });
}

const comparable = (all: readonly object[]) =>
  all
    .map((one) => {
      const { id, version, createdAt, updatedAt, createdBy, ...fields } = one as StoredVulnerability;
      return JSON.stringify(
        Object.entries(fields)
          .filter(([, value]) => value !== undefined)
          .toSorted(),
      );
    })
    .toSorted();

/** Open vulnerabilities by advisory, with the number of their assets. */
function advisories(all: readonly StoredVulnerability[]): string[] {
  const open = Map.groupBy(
    all.filter(({ status }) => isOpen(status)),
    ({ advisoryId }) => advisoryId,
  );
  return [...open]
    .map(([name, of]) => `${name} ${of.length} ${new Set(of.map(({ asset }) => asset.id)).size}`)
    .toSorted();
}

/** Open vulnerabilities by the package that closes them. */
function upgrades(all: readonly StoredVulnerability[]): string[] {
  const open = Map.groupBy(
    all.filter(({ status, component }) => isOpen(status) && component),
    ({ component }) => component && purlOfComponent(component),
  );
  return [...open]
    .map(([purl, of]) => `${purl} ${of.length} ${new Set(of.map(({ asset }) => asset.id)).size}`)
    .toSorted();
}

test('vulnerabilities equal a recount of their findings, in whatever order reports, feeds, tags, decisions and deletions came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 25 }), async (operations) => {
      const [start, began] = [Date.now(), performance.now()];
      setClock(() => Math.floor(start + (performance.now() - began) * 1000));
      const table = newOrganization(store.dynamo);
      today = { probability: 0, isExploited: false };
      for (const name of PLACES) await table.create(assets, assetDraft(name));
      for (const one of [...operations, { kind: 'follow' } as Operation]) await perform(table, one);
      const standing = await allVulnerabilities(table);
      const tags = new Map((await table.list(assets, everything)).data.map((asset) => [asset.id, asset.tags]));
      expect(comparable(standing)).toEqual(comparable(recount(await allFindings(table), { standing, tags })));
      const groups = (await table.list(advisoryGroups, everything)).data;
      expect(groups.map(({ name, open, assets }) => `${name} ${open} ${assets}`).toSorted()).toEqual(
        advisories(standing),
      );
      const fixes = (await table.list(fixGroups, everything)).data;
      expect(fixes.map(({ purl, open, assets }) => `${purl} ${open} ${assets}`).toSorted()).toEqual(upgrades(standing));
      for (const entity of [vulnerabilities, advisoryGroups, fixGroups])
        expect((await verify(table, entity as typeof vulnerabilities)).differences).toEqual([]);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
