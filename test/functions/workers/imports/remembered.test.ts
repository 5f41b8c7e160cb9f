import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import { queueUndo } from '#functions/ingest/import/undo.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES, moveStatus } from '#shared/findings/finding/finding-status.ts';
import { removeRule, saveRule } from '#shared/findings/suppression/save.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { changeFinding, deleteFinding } from '#shared/findings/triage/change.ts';
import { allSeen } from '#shared/findings/view/scan-state.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { type Submission, taskFiles } from '#shared/ingest/submission.ts';
import { announcedIn, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { readJson } from '#shared/platform/runtime/stored-json.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { runs } from '../../../support/tier.ts';
import { contents, expectSound } from './expectations.ts';
import { codeScan, type Problem, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const start = Date.parse('2026-01-15T08:00:00.250Z');
const MINUTE = 60_000;
const page = { paginateFrom: 0, paginateSize: 400 };

/** The files that imports keep beside states: the rows of findings, and what was read of reports. */
async function kept({ organizationId }: Table, what: '.rows' | '/reading'): Promise<string[]> {
  const { bucket } = world.connections;
  const list = new ListObjectsV2Command({ Bucket: bucket.name, Prefix: `${organizationId}/scopes/` });
  const { Contents = [] } = await (await bucket.client()).send(list);
  return Contents.flatMap(({ Key = '' }) => (Key.endsWith(what) ? [Key] : []));
}

/** How an import finds what changed: by the feed, by the versions of rows, or by the rows themselves; the last way also reads each report. */
const WAYS: Record<string, (table: Table) => Promise<void>> = {
  feed: async () => undefined,
  versions: async (table) => {
    for (const key of await kept(table, '.rows')) {
      const bytes = Buffer.from((await world.connections.bucket.get(key)) ?? []);
      const end = bytes.indexOf(10);
      const header = { ...JSON.parse(bytes.toString('utf8', 0, end)), since: { next: 1, hash: 'of another log' } };
      await world.connections.bucket.put(
        key,
        Buffer.concat([Buffer.from(JSON.stringify(header)), bytes.subarray(end)]),
      );
    }
  },
  rows: async (table) => {
    for (const what of ['.rows', '/reading'] as const) await world.connections.bucket.remove(await kept(table, what));
  },
};

type Organization = {
  table: Table;
  sent: Submission[];
  imports: string[];
  merges: string[];
  way: (table: Table) => Promise<void>;
};

async function drain({ table, way }: Organization): Promise<void> {
  while (world.messages.length > 0) {
    await way(table);
    if (!(await world.deliver()) && (world.messages[0]?.received ?? 0) >= 5)
      throw new Error('a message never succeeds');
  }
}

const person = fc.record({
  kind: fc.constant('person' as const),
  n: fc.nat(5),
  onBranch: fc.boolean(),
  does: fc.constantFrom(...FINDING_STATUSES, 'rates', 'deletes'),
});
const report = fc.record({
  kind: fc.constant('report' as const),
  name: fc.constantFrom('api', 'api', 'web'),
  ref: fc.constantFrom('main', 'main', 'feature', 'develop'),
  part: fc.constantFrom(undefined, undefined, 'back'),
  commit: fc.constantFrom(undefined, undefined, 'c0ffee'),
  has: fc.uniqueArray(fc.nat(5), { maxLength: 6 }),
  text: fc.constantFrom('as it was', 'as it was', 'otherwise'),
  closeMissing: fc.boolean(),
  waits: fc.constantFrom(false, false, true),
  /** Problems that the report names again, as they are or worse. */
  repeats: fc.array(fc.record({ n: fc.nat(5), level: fc.constantFrom('error', 'warning') }), { maxLength: 1 }),
  /** A person acts while the worker reads the report. */
  amid: fc.option(person, { nil: undefined }),
});
/** One of the last reports again. */
const again = fc.record({
  kind: fc.constant('again' as const),
  last: fc.constantFrom(0, 0, 1, 2),
  waits: fc.constantFrom(false, false, true),
  amid: fc.option(person, { nil: undefined }),
});
const other = fc.record({
  kind: fc.constantFrom('undo' as const, 'merge' as const, 'part' as const, 'number' as const, 'rule' as const),
  n: fc.nat(5),
});
type Step =
  | (typeof report extends fc.Arbitrary<infer T> ? T : never)
  | (typeof again extends fc.Arbitrary<infer T> ? T : never)
  | (typeof person extends fc.Arbitrary<infer T> ? T : never)
  | (typeof other extends fc.Arbitrary<infer T> ? T : never);
const steps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { arbitrary: report, weight: 6 },
    { arbitrary: again, weight: 6 },
    { arbitrary: person, weight: 5 },
    { arbitrary: other, weight: 4 },
  ),
  { minLength: 4, maxLength: 14 },
);

async function take(organization: Organization, step: Step): Promise<void> {
  const { table, sent, imports, merges } = organization;
  const context = { connections: world.connections, table };
  if (step.kind === 'report') {
    const { name, has, text, waits, repeats, amid, ...about } = step;
    const found = has.flatMap((n) => problems(1, n)).map((one): Problem => ({ ...one, text }));
    const again = repeats.flatMap(({ n, level }) => problems(1, n).map((one): Problem => ({ ...one, text, level })));
    // of two reports no bytes are the same, so that each is read
    const content = sarif([...found, ...again]) + ' '.repeat(sent.length);
    const submission = codeScan(content, { ...about, target: repository(name) });
    sent.push(submission);
    const id = await world.accept(table, submission);
    imports.push(id);
    if (amid) await whileReading(table, id, () => decide(table, amid));
    if (!waits) await drain(organization);
  } else if (step.kind === 'again') {
    const submission = sent.at(-1 - step.last);
    if (!submission) return;
    const { amid } = step;
    imports.push(await world.accept(table, submission));
    if (amid) afterReading(table, () => decide(table, amid));
    if (!step.waits) await drain(organization);
  } else if (step.kind === 'person') await decide(table, step);
  else if (step.kind === 'rule') await changeRule(table, step.n);
  else if (step.kind === 'number') await numberChanges(table);
  else {
    const id = imports[step.n % imports.length];
    if (step.kind === 'undo' && id) await queueUndo(context, id);
    if (step.kind === 'merge') {
      const { data } = await table.list(assets, page);
      const idOf = (name: string) => data.find(({ value }) => value.endsWith(name))?.id;
      const [assetId, intoId] = [idOf('web'), idOf('api')];
      if (assetId && intoId) merges.push((await queueMerge(context, { assetId, intoId })).taskId);
    }
    const merged = merges.at(-1);
    if (step.kind === 'part' && merged) await queueMergeUndo(context, merged);
    await drain(organization);
  }
}

/** Acts after the worker has looked up what changed, before the entries of a report are read: the third reading of its file. */
async function whileReading(table: Table, id: string, act: () => Promise<void>): Promise<void> {
  const client = await world.connections.bucket.client();
  const [name, key] = [`amid ${id}`, taskFiles(table.organizationId, id).report];
  let readings = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'GetObjectCommand' || Object(args.input).Key !== key) return next(args);
        readings += 1;
        if (readings === 3) {
          client.middlewareStack.remove(name);
          await act().catch(refused);
        }
        return next(args);
      },
    { step: 'initialize', name },
  );
}

/** Acts once, after a report was read and before its findings are looked up: the first time that somebody asks for the row of its commit. */
function afterReading(table: Table, act: () => Promise<void>): void {
  const { client } = world.connections.dynamo;
  const name = `after ${newId()}`;
  client.middlewareStack.add(
    (next) => async (args) => {
      const { pk } = Object(args.input).Key ?? {};
      if (!pk?.S?.startsWith(`${table.tenant}#commit-scan#`)) return next(args);
      client.middlewareStack.remove(name);
      await act().catch(refused);
      return next(args);
    },
    { step: 'initialize', name },
  );
}

/** A person makes the rule about a file, or removes it. */
async function changeRule(table: Table, n: number): Promise<void> {
  const context = { connections: world.connections, table };
  const conditions = { path: `src/file-${n}.ts` };
  const { data } = await table.list(suppressionRules, page);
  const before = data.find((rule) => rule.conditions.path === conditions.path);
  if (before) return removeRule(context, before);
  const [id = ''] = await table.reserve(suppressionRules, 1);
  const says = { name: 'Tests', enabled: true, conditions, reason: 'a test', expiresAt: null, order: 100 };
  const draft = { ...says, id, status: 'false_positive' as const, approver: { id: 'ada', name: 'Ada' }, taskId: id };
  await saveRule(context, table.stamp<SuppressionRule>(draft));
}

/** A person moves, rates or deletes a finding; nobody may make every move. */
async function decide(table: Table, { n, onBranch, does }: typeof person extends fc.Arbitrary<infer T> ? T : never) {
  const entity = onBranch ? branchFindings : findings;
  const { data } = await table.list(entity, page);
  const found = data.toSorted((a, b) => (a.location < b.location ? -1 : 1))[n];
  if (!found) return;
  const finding = await table.get(entity, found.id, true);
  const batch = table.batch();
  const place = { table, batch, entity };
  if (does === 'deletes') deleteFinding(place, finding);
  else {
    const rated = { severity: 'low', severityOverridden: true, reportedSeverity: finding.severity } as const;
    const changes: Partial<StoredFinding> = does === 'rates' ? rated : moveStatus(finding, { to: does, at: now() });
    changeFinding(place, finding, { changes, at: now() });
  }
  await batch.commit();
}

/** The answers of an organization's imports and its contents after them, without ids. */
async function outcome({ table, imports }: Organization) {
  const { bucket } = world.connections;
  const all = [...(await table.list(findings, page)).data, ...(await table.list(branchFindings, page)).data];
  const places = new Map(all.map((one) => [one.id, `${one.asset.name} ${one.ref} ${one.location}`]));
  const told = await Promise.all(
    imports.map(async (id) => {
      const [task, kept] = await Promise.all([
        table.rows(taskRows).find({ id }, true),
        readJson<{ listed: { id: string }[] }>(bucket, taskFiles(table.organizationId, id).compared),
      ]);
      const listed = kept?.listed.map(({ id, ...one }) => JSON.stringify([places.get(id), one])).toSorted();
      return { status: task?.status, input: task?.input.scope, result: task?.result, listed };
    }),
  );
  const scopes = [...new Set(told.map(({ input }) => String(input)))];
  const states = await Promise.all(
    scopes.map(async (scope) =>
      [...allSeen(await readScopeState(bucket, table, scope))].map(({ id, ...one }) => [places.get(id), one]),
    ),
  );
  const onBranches = (await table.list(branchFindings, page)).data.map(({ location, status, version }) => [
    location,
    status,
    version,
  ]);
  const shown = {
    told,
    states,
    onBranches: onBranches.toSorted(),
    records: (await table.list(importedReports, page)).data,
    sighted: (await table.list(assets, page)).data.map(withoutIds).toSorted(),
    changes: await changesOf(table),
    ...(await contents({ connections: world.connections, table })),
  };
  // reasons name imports
  return JSON.parse(withoutIds(shown));
}

const withoutIds = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');

/** The changes of the feed, in any order: entries of one transaction have none. */
async function changesOf(table: Table): Promise<string[]> {
  await numberChanges(table);
  const all = (await sheetsAfter(table, 0, 1_000)).flatMap(announcedIn);
  return all.map(({ change }) => withoutIds([change?.entity, change?.kind, change?.fields])).toSorted();
}

test('an import ends alike whether it reads its report and the rows of unchanged findings or not', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (planned) => {
      const all = Object.values(WAYS).map(
        (way): Organization => ({ table: world.newOrganization(), sent: [], imports: [], merges: [], way }),
      );
      for (const organization of all) {
        for (const [n, step] of planned.entries()) {
          setClock(() => start + n * MINUTE);
          await take(organization, step).catch(refused);
        }
        setClock(() => start + planned.length * MINUTE);
        await drain(organization);
        await expectSound(organization.table);
      }
      const [byFeed, byVersions, byRows] = await Promise.all(all.map(outcome));
      expect(byVersions).toEqual(byRows);
      expect(byFeed).toEqual(byRows);
    }),
    { numRuns: runs(3, 20) },
  );
});

test('a finding that is deleted while the same report is read again comes back whole', async () => {
  const table = world.newOrganization();
  const submission = codeScan(sarif(problems(3)), { target: repository('api') });
  const whole = async () => {
    const { data } = await table.list(findings, page);
    const all = await Promise.all(data.map(({ id }) => table.get(findings, id, true)));
    return all
      .map(({ location, title, description, ruleId, contentHash }) => ({
        location,
        title,
        description,
        ruleId,
        contentHash,
      }))
      .toSorted((a, b) => (a.location < b.location ? -1 : 1));
  };
  const remove = () => decide(table, { kind: 'person', n: 1, onBranch: false, does: 'deletes' });
  await world.ingest(table, submission);
  const before = await whole();
  const sent = codeScan(`${sarif(problems(3))} `, { target: repository('api') });
  for (const [next, act] of [
    [sent, (id: string) => whileReading(table, id, remove)],
    [sent, () => afterReading(table, remove)],
  ] as const) {
    const id = await world.accept(table, next);
    await act(id);
    expect(await world.deliver()).toBe(true);
    expect(await world.task(table, id)).toMatchObject({ result: { created: 1, unchanged: 2 } });
    expect(await whole()).toEqual(before);
  }
  await expectSound(table);
});

/** A merge into itself or an undo of what was undone is refused, in each organization. */
function refused(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
