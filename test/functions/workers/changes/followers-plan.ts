import * as fc from 'fast-check';
import { updateFinding } from '#functions/findings/findings/update-finding.ts';
import { updateVulnerability } from '#functions/vulnerabilities/vulnerabilities/update.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { openViews } from '#functions/workers/views/list.ts';
import { exploitationOf, readFacts } from '#shared/advisories/facts.ts';
import { assetKey, assets } from '#shared/assets/asset/asset.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { findingAsset } from '#shared/findings/finding/assets.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { isOpenItself, moveStatus } from '#shared/findings/finding/finding-status.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { keepViews } from '#shared/platform/views/follow.ts';
import { type StoredVulnerability, vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { findingDraft } from '../../../support/findings.ts';
import { publishFacts } from '../../../support/published-facts.ts';
import { startWorld } from '../imports/world.ts';

export const world = await startWorld();

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
export const step = fc.oneof(
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
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('feed'),
      scores: fc.tuple(fc.constantFrom(0.01, 0.5), fc.constantFrom(0.01, 0.9)),
      exploited: fc.subarray([...cves]),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function whole(table: Table): Promise<StoredFinding[]> {
  return wholeRecordsAt(table, findings, { ordinals: await ordinalsOf(table, findings, {}), consistent: true });
}
const allVulnerabilities = async (table: Table): Promise<StoredVulnerability[]> =>
  wholeRecordsAt(table, vulnerabilities, { ordinals: await ordinalsOf(table, vulnerabilities, {}), consistent: true });

/** The views follow, and so do the findings. */
export async function settle(table: Table): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await keepViews(table, await openViews(connections), () => false);
    await world.drain();
  }
}

/**
 * Needs every vulnerability and every end to be known: these steps do not wait for others. An acceptance that ends does not wait
 * either: until the sweeper ends it, a finding that followed it keeps it, and a finding that follows it later is open. A merge moves
 * findings: a finding keeps the decision of its former asset only if the vulnerability with the decision names the finding.
 */
const needsAll = (one: Step): boolean => ['decide', 'assign', 'merge', 'part', 'move', 'pass'].includes(one.kind);

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

export async function mergeAssets(run: Run, into: number): Promise<void> {
  const { table } = run;
  const [from, to] = [await assetAt(table, 1 - into), await assetAt(table, into)];
  if (from.id === to.id) return;
  run.merged = (await queueMerge({ connections, table }, { assetId: from.id, intoId: to.id })).taskId;
  await world.drain();
}

export async function partAssets(run: Run): Promise<void> {
  if (run.merged === undefined) return;
  await queueMergeUndo({ connections, table: run.table }, run.merged);
  run.merged = undefined;
  await world.drain();
}

const rated = (scores: readonly number[]) => Object.fromEntries(cves.map((cve, n) => [cve, scores[n] ?? 0]));

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
    const [asset, facts] = await Promise.all([assetAt(table, one.asset), readFacts(connections)]);
    const known = exploitationOf(facts, of);
    await table.create(findings, findingDraft(now(), { asset, cves: of, ruleId: 'r', location, ...known }));
  }
  if (one.kind === 'merge') await mergeAssets(run, one.into);
  if (one.kind === 'part') await partAssets(run);
  if (one.kind === 'pass') await sweep(connections);
  if (one.kind === 'feed') await publishFacts(connections, rated(one.scores), one.exploited);
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
  const current = await named(table, one);
  if (!current) return;
  const acceptance = 'hours' in one && one.status === 'risk_accepted';
  const patch =
    one.kind === 'assign'
      ? { assigneeId: one.isNobody ? null : ann.id }
      : {
          status: one.status as StoredVulnerability['status'],
          reason: `decided at ${time}`,
          ...(acceptance && { restartSla: one.restartSla }),
          ...(acceptance && one.hours && { acceptedUntil: new Date(time + one.hours * HOUR).toISOString() }),
        };
  try {
    await updateVulnerability({ connections, table, caller: ann, id: current.id, patch });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The steps one by one, ten hours apart; the workers come where they must, and where the plan says. */
export async function run(steps: readonly Step[], comes: (n: number) => boolean): Promise<Run> {
  passTo(start);
  await publishFacts(connections, rated([0.01, 0.01]), []);
  const table = await toldOrganization();
  const state: Run = { table, reports: 0 };
  await makeAssets(table);
  const ends: number[] = [];
  const passOn = async (to: number) => {
    if (ends.some((end) => end > time && end <= to)) await settle(table);
    passTo(to);
  };
  for (const [n, one] of steps.entries()) {
    await passOn(start + n * 10 * HOUR);
    if (needsAll(one)) await settle(table);
    await perform(state, one);
    if ('hours' in one && one.hours) ends.push(time + one.hours * HOUR);
    if (one.kind === 'pass' || comes(n)) await settle(table);
  }
  await passOn(start + steps.length * 10 * HOUR);
  await settle(table);
  return state;
}

/** The only organization that feeds are told to: those of earlier runs have ended. */
async function toldOrganization(): Promise<Table> {
  const everywhere = openTable(connections.dynamo, GLOBAL_SCOPE);
  const { data } = await everywhere.list(organizations, { paginateFrom: 0, paginateSize: 10 });
  for (const { id } of data) await everywhere.delete(organizations, await everywhere.get(organizations, id));
  return openTable(connections.dynamo, (await everywhere.create(organizations, { name: 'Acme' })).id);
}

const minute = (at: string | undefined) => at?.slice(0, 13);

/** The fields that people see, without times of the workers. */
export async function seenIn(table: Table) {
  const shown = (await whole(table)).map((finding) => ({
    location: finding.location,
    asset: finding.asset.name,
    status: finding.status,
    reason: finding.statusReason,
    until: minute(finding.acceptedUntil),
    by: finding.acceptedBy?.id,
    assignee: finding.assignee?.id,
    before: finding.assigneeFollows,
    epss: finding.epss,
    kev: finding.kev,
    priority: finding.priority,
    due: minute(finding.dueAt),
    restarts: finding.restartSla,
    isFollowing: finding.follows !== undefined,
  }));
  const known = (await allVulnerabilities(table)).map(({ asset, decision, assignee, ...one }) => ({
    advisoryId: one.advisoryId,
    asset: asset.name,
    status: one.status,
    findings: one.findingsCount,
    decided: decision?.status,
    reason: decision?.reason,
    until: minute(decision?.until),
    assignee: assignee?.id,
    epss: one.epss?.probability,
    kev: one.kev,
    priority: one.priority,
    ssvc: one.ssvc,
  }));
  const inOrder = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted();
  return { findings: inOrder(shown), vulnerabilities: inOrder(known) };
}
