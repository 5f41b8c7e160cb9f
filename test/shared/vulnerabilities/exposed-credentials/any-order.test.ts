import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { decide } from '#shared/vulnerabilities/exposed-credentials/decide.ts';
import {
  exposedCredentials,
  type StoredCredential,
} from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialView } from '#shared/vulnerabilities/exposed-credentials/view.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { expectExact } from '../../../support/verify.ts';
import { assetNamed } from '../../../support/vulnerabilities.ts';

const store = useStore();
const views = [credentialView()];
const assets = [assetNamed('shop'), assetNamed('till')];
const COLLECTIONS = { main: findings, branch: branchFindings };

const place = fc.record({
  asset: fc.constantFrom(...assets),
  tool: fc.constantFrom('gitleaks', 'trufflehog'),
  key: fc.constantFrom('one', 'two'),
  verified: fc.constantFrom(undefined, true, false),
});
const pick = fc.nat();
const collection = fc.constantFrom('main' as const, 'branch' as const);
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('import'), place, collection }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change'),
      pick,
      place,
      collection,
      status: fc.constantFrom('open', 'in_progress', 'fixed', 'false_positive', 'risk_accepted'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mergeBranch'), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mergeAssets') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteAsset'), asset: fc.constantFrom(...assets) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide'),
      pick,
      status: fc.constantFrom('active', 'rotated', 'revoked', 'false_positive'),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer O> ? O : never;
type Place = typeof place extends fc.Arbitrary<infer P> ? P : never;

const everything = { paginateFrom: 0, paginateSize: 500 };
const picked = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];

async function wholeFindings(table: Table, entity: typeof findings): Promise<StoredFinding[]> {
  const { data } = await table.list(entity, { ...everything, where: { tool: ['gitleaks', 'trufflehog'] } });
  return Promise.all(data.map(({ id }) => table.get(entity, id)));
}

async function credentials(table: Table): Promise<StoredCredential[]> {
  const { data } = await table.list(exposedCredentials, everything);
  return Promise.all(data.map(({ id }) => table.get(exposedCredentials, id)));
}

const fieldsOf = ({ asset, tool, key, verified }: Place) => ({
  asset,
  tool,
  secret: { key, kind: 'token' as const, ...(verified !== undefined && { check: { at: now(), verified } }) },
});

async function perform(table: Table, one: Operation): Promise<void> {
  if (one.kind === 'import') await table.create(COLLECTIONS[one.collection], findingDraft(now(), fieldsOf(one.place)));
  if (one.kind === 'change') {
    const entity = COLLECTIONS[one.collection];
    const finding = picked(await wholeFindings(table, entity), one.pick);
    const changes = { ...fieldsOf(one.place), status: one.status } as Partial<StoredFinding>;
    if (finding) await table.update(entity, finding, changes);
  }
  if (one.kind === 'mergeBranch') {
    const finding = picked(await wholeFindings(table, branchFindings), one.pick);
    if (finding) await moveToDefault(table, finding);
  }
  if (one.kind === 'mergeAssets')
    for (const finding of await wholeFindings(table, findings))
      if (finding.asset.id === assets[0]?.id) await table.update(findings, finding, { asset: assets[1] });
  if (one.kind === 'deleteAsset')
    for (const entity of [findings, branchFindings])
      for (const finding of await wholeFindings(table, entity))
        if (finding.asset.id === one.asset.id) await table.delete(entity, finding);
  if (one.kind === 'follow') await keepViews(table, views, () => false);
  if (one.kind === 'decide') {
    const current = picked(await credentials(table), one.pick);
    const by = { kind: 'system', id: 'test', name: 'test' } as const;
    const changes = current && decide(current, { status: one.status, reason: now() }, { at: now(), by });
    if (current && changes) await table.update(exposedCredentials, current, changes);
  }
}

async function moveToDefault(table: Table, finding: StoredFinding): Promise<void> {
  const batch = table.batch();
  batch.delete(branchFindings, finding);
  batch.create(findings, finding);
  await batch.commit();
}

/** The records that the findings ask for, counted from nothing. */
function recount(all: readonly StoredFinding[], decisions: ReadonlyMap<string, StoredCredential['decision']>) {
  const keys = [...new Set(all.flatMap(({ secret }) => secret?.key ?? []))].sort();
  return keys.map((key) => {
    const of = all.filter(({ secret }) => secret?.key === key);
    const left = of.filter(({ status }) => status !== 'fixed');
    return {
      key,
      places: of.length,
      openPlaces: left.length,
      assets: [...new Set(of.map(({ asset }) => asset.id))].sort(),
      tools: [...new Set(of.map(({ tool }) => tool))].sort(),
      firstSeenAt: of.map(({ firstSeenAt }) => firstSeenAt).sort()[0],
      status: statusOf(of, left, decisions.get(key)),
    };
  });
}

function statusOf(of: StoredFinding[], left: StoredFinding[], decision: StoredCredential['decision']): string {
  if (decision?.status === 'false_positive') return 'false_positive';
  if (!decision && left.length > 0 && left.every(({ status }) => status === 'false_positive')) return 'false_positive';
  const checks = of.flatMap(({ secret }) => secret?.check ?? []).filter(({ at }) => at > (decision?.at ?? ''));
  const last = checks
    .map(({ at }) => at)
    .sort()
    .at(-1);
  if (last === undefined) return decision?.status ?? 'active';
  return checks.some(({ at, verified }) => at === last && verified) ? 'active' : 'revoked';
}

test('credentials, places and counters equal a recount after any imports, fixes, merges, deletions and triage', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 25 }), async (operations) => {
      const [start, began] = [Date.now(), performance.now()];
      setClock(() => Math.floor(start + (performance.now() - began) * 1000));
      const table = newOrganization(store.dynamo);
      for (const one of [...operations, { kind: 'follow' } as Operation]) await perform(table, one);
      const current = await credentials(table);
      const decisions = new Map(current.map(({ key, decision }) => [key, decision]));
      const all = [...(await wholeFindings(table, findings)), ...(await wholeFindings(table, branchFindings))];
      const shown = current.map(({ key, places, openPlaces, assets, tools, firstSeenAt, status }) => ({
        key,
        places,
        openPlaces,
        assets: assets.map(({ id }) => id).sort(),
        tools,
        firstSeenAt,
        status,
      }));
      expect(shown.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(recount(all, decisions));
      await expectExact(table, [exposedCredentials, findings]);
    }),
    { numRuns: runs(2, 12), endOnFailure: true },
  );
});
