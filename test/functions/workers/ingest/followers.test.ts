import * as fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { updateFinding } from '#functions/findings/update-finding.ts';
import { updateVulnerability } from '#functions/vulnerabilities/update.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { openViews } from '#functions/workers/views/list.ts';
import { assetKey, assets } from '#shared/entities/asset.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { isOpenItself, moveStatus } from '#shared/entities/finding-status.ts';
import { type StoredVulnerability, vulnerabilities } from '#shared/entities/vulnerability.ts';
import { findingAsset } from '#shared/findings/assets.ts';
import { changeFinding } from '#shared/findings/change.ts';
import { queueMerge } from '#shared/findings/merges/merge.ts';
import { queueMergeUndo } from '#shared/findings/merges/undo.ts';
import { now, setClock } from '#shared/runtime/clock.ts';
import { ApiError } from '#shared/runtime/errors.ts';
import { newId } from '#shared/runtime/ids.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';
import { keepViews } from '#shared/views/follow.ts';
import { findingDraft } from '#test/support/findings.ts';
import { expectSound } from './expectations.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const ann = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;
const { connections } = world;

const HOUR = 3_600_000;
const start = Date.parse('2026-01-05T08:00:00Z');
let time = start;
/** Changes rest for three seconds before they are numbered: within a step the time goes on by itself. */
function passTo(ms: number): void {
  time = ms;
  const began = performance.now();
  setClock(() => Math.floor(time + (performance.now() - began) * 50));
}

const names = ['one', 'two'] as const;
const cves = ['CVE-2021-44228', 'CVE-2021-45046'] as const;

const which = { n: fc.nat({ max: 3 }) };
const problem = { asset: fc.nat({ max: 1 }), cve: fc.nat({ max: 1 }) };
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('report'),
      asset: problem.asset,
      names: fc.subarray([0, 1], { minLength: 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('decide'),
      ...problem,
      status: fc.constantFrom('open', 'in_progress', 'risk_accepted', 'false_positive'),
      hours: fc.constantFrom(undefined, 20, 60),
      restartSla: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assign'), ...problem, isNobody: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repair'), ...which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('return'), ...which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('triage'), ...which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move'), ...which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge'), into: fc.nat({ max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('part') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass') }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function whole(table: Table): Promise<StoredFinding[]> {
  return wholeRecordsAt(table, findings, { ordinals: await ordinalsOf(table, findings, {}), consistent: true });
}
const allVulnerabilities = async (table: Table): Promise<StoredVulnerability[]> =>
  wholeRecordsAt(table, vulnerabilities, { ordinals: await ordinalsOf(table, vulnerabilities, {}), consistent: true });

/** The views follow, and so do the findings. */
async function settle(table: Table): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await keepViews(table, await openViews(connections), () => false);
    await world.drain();
  }
}

/** Needs every vulnerability and every end to be known: these steps do not wait for others. */
const needsAll = (one: Step): boolean => ['decide', 'assign', 'merge', 'part', 'pass'].includes(one.kind);

/** An organization, how many reports came, and the merge that stands. */
type Run = { table: Table; reports: number; merged?: string | undefined };

const identityOf = (n: number) => ({ type: 'host' as const, value: names[n] ?? '', zone: null });

/** The asset that has a name now; after a merge both names are of one. */
async function assetAt(table: Table, n: number) {
  const asset = await table.findUnique(assets, { field: 'identity', value: assetKey(identityOf(n)) }, true);
  if (!asset) throw new Error('an asset keeps its name, or another one has it');
  return findingAsset(asset, asset.id);
}

async function makeAssets(table: Table): Promise<void> {
  const more = { criticality: 'medium' as const, internetExposed: null, tags: [], firstSeenAt: now() };
  for (const n of [0, 1]) await table.create(assets, { ...identityOf(n), ...more, name: names[n] ?? '' });
}

async function mergeAssets(run: Run, into: number): Promise<void> {
  const { table } = run;
  const [from, to] = [await assetAt(table, 1 - into), await assetAt(table, into)];
  if (from.id === to.id) return;
  run.merged = (await queueMerge(connections, table, { assetId: from.id, intoId: to.id })).taskId;
  await world.drain();
}

async function partAssets(run: Run): Promise<void> {
  if (run.merged === undefined) return;
  await queueMergeUndo(connections, run.table, run.merged);
  run.merged = undefined;
  await world.drain();
}

async function named(table: Table, { asset, cve }: { asset: number; cve: number }) {
  const all = await allVulnerabilities(table);
  const { id } = await assetAt(table, asset);
  return all.find((one) => one.asset.id === id && one.advisoryId === cves[cve]);
}

async function byScan(table: Table, finding: StoredFinding, to: 'fixed' | 'open'): Promise<void> {
  const batch = table.batch();
  const at = now();
  changeFinding({ table, batch }, finding, { changes: moveStatus(finding, { to, at, scanTaskId: newId() }), at });
  await batch.commit();
}

async function perform(run: Run, one: Step): Promise<void> {
  const { table } = run;
  const findingAt = async (n: number) => (await whole(table)).find(({ location }) => location === `place ${n}`);
  if (one.kind === 'report') {
    const location = `place ${run.reports++}`;
    const of = one.names.map((n) => cves[n] ?? '');
    const asset = await assetAt(table, one.asset);
    await table.create(findings, findingDraft(now(), { asset, cves: of, ruleId: 'r', location }));
  }
  if (one.kind === 'merge') await mergeAssets(run, one.into);
  if (one.kind === 'part') await partAssets(run);
  if (one.kind === 'pass') await sweep(connections);
  if (one.kind === 'decide' || one.kind === 'assign') await decideOn(table, one);
  if (!('n' in one)) return;
  const finding = await findingAt(one.n);
  if (!finding) return;
  if (one.kind === 'repair' && isOpenItself(finding)) await byScan(table, finding, 'fixed');
  if (one.kind === 'return' && finding.status === 'fixed') await byScan(table, finding, 'open');
  if (one.kind === 'triage' && finding.status !== 'fixed') await triage(table, finding.id);
  if (one.kind === 'move') {
    const all = await Promise.all([assetAt(table, 0), assetAt(table, 1)]);
    await table.update(findings, finding, { asset: all.find(({ id }) => id !== finding.asset.id) ?? finding.asset });
  }
}

const triage = (table: Table, id: string) =>
  updateFinding({ connections, table, caller: ann, id, patch: { status: 'out_of_scope', reason: 'another team' } });

async function decideOn(table: Table, one: Extract<Step, { cve: number }>): Promise<void> {
  const standing = await named(table, one);
  if (!standing) return;
  const acceptance = 'hours' in one && one.status === 'risk_accepted';
  const patch =
    one.kind === 'assign'
      ? { assigneeId: one.isNobody ? null : ann.id }
      : {
          ...{ status: one.status as StoredVulnerability['status'], reason: `decided at ${time}` },
          ...(acceptance && { restartSla: one.restartSla }),
          ...(acceptance && one.hours && { acceptedUntil: new Date(time + one.hours * HOUR).toISOString() }),
        };
  try {
    await updateVulnerability({ connections, table, caller: ann, id: standing.id, patch });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The steps one by one, ten hours apart; the workers come where they must, and where the plan says. */
async function run(steps: readonly Step[], comes: (n: number) => boolean): Promise<Table> {
  const table = world.newOrganization();
  const state: Run = { table, reports: 0 };
  passTo(start);
  await makeAssets(table);
  for (const [n, one] of steps.entries()) {
    passTo(start + n * 10 * HOUR);
    if (needsAll(one)) await settle(table);
    await perform(state, one);
    if (one.kind === 'pass' || comes(n)) await settle(table);
  }
  passTo(start + steps.length * 10 * HOUR);
  await settle(table);
  return table;
}

const minute = (at: string | undefined) => at?.slice(0, 13);

/** The fields that people see, without times of the workers. */
async function seenIn(table: Table) {
  const shown = (await whole(table)).map((finding) => ({
    ...{ location: finding.location, asset: finding.asset.name, status: finding.status, reason: finding.statusReason },
    ...{ until: minute(finding.acceptedUntil), by: finding.acceptedBy?.id, assignee: finding.assignee?.id },
    ...{ due: minute(finding.dueAt), restarts: finding.restartSla, isFollowing: finding.follows !== undefined },
  }));
  const known = (await allVulnerabilities(table)).map(({ advisoryId, asset, status, decision, assignee }) => ({
    ...{ advisoryId, asset: asset.name, status, decided: decision?.status, reason: decision?.reason },
    ...{ until: minute(decision?.until), assignee: assignee?.id },
  }));
  const inOrder = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted();
  return { findings: inOrder(shown), vulnerabilities: inOrder(known) };
}

test('findings and vulnerabilities end the same, whenever the workers follow decisions, reports, merges and ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const eager = await run(steps, () => true);
      const lazy = await run(steps, () => false);
      expect(await seenIn(lazy)).toEqual(await seenIn(eager));
      await expectSound(eager);
      await expectSound(lazy);
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
