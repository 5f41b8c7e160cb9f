import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { teams } from '#shared/people/team.ts';
import type { Filter, FilteredEntity } from '#shared/platform/filter/filter.ts';
import { leavesOf } from '#shared/platform/filter/filter.ts';
import { ruleCompiler } from '#shared/platform/filter/rule.ts';
import { newTask, newTaskWrites, TASK_STATUSES } from '#shared/platform/jobs/task.ts';
import { CHANNELS, newDelivery, STATES } from '#shared/platform/outgoing/delivery.ts';
import { keepDelivery } from '#shared/platform/outgoing/ledger.ts';
import { DAY_MS, now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { actor } from '../support/actor.ts';
import type { OperationName } from '../support/client.ts';
import { fieldsOf, INDEXED } from '../support/filtered-records.ts';
import { type Asked, fits, isTried, type Made, randomFilters } from '../support/random-filters.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { runs } from '../support/tier.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();
const RECORDS = 40;

type World = { organization: TestOrganization; asked: Asked; made: Made[]; list: OperationName };
type Page = { data: { id: string }[]; totalCount: number };

/** An organization with random records of an entity, its people and teams. */
async function withRecords(entity: keyof typeof INDEXED): Promise<World> {
  const { people, organization, asked } = await withPeople(entity);
  const { list, make } = INDEXED[entity];
  const some = [newId(), newId(), newId()];
  const made = await make(organization.table, { people, teams: [...asked.teams.keys()], some }, RECORDS);
  return { organization, asked, made, list };
}

async function withPeople(entity: FilteredEntity) {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  await organization.withRole('analyst');
  const accounts = (await admin.ok('listServiceAccounts')).data;
  const me = accounts.find(({ role }) => role === 'admin')?.id ?? '';
  const people = accounts.map(({ id }) => id);
  const team = (name: string, memberIds: string[]) =>
    table.create(teams, { name, description: null, leadId: null, memberIds, scimGroupId: null });
  const made = [await team('Web', people), await team('Net', people.slice(0, 1))];
  const fields = await fieldsOf(entity);
  const asked: Asked = {
    fields,
    me,
    today: now().slice(0, 10),
    teams: new Map(made.map(({ id, memberIds }) => [id, [id, ...memberIds]])),
  };
  return { organization, people, asked };
}

const called = (world: World, operation: string, request: object) =>
  world.organization.admin.ok(operation as never, request as never) as Promise<unknown>;

const listed = async (world: World, filter: string, more: object = {}) => {
  const { data, totalCount } = (await called(world, world.list, {
    query: { filter, paginateFrom: 0, paginateSize: 100, ...more },
  })) as Page;
  return { ids: data.map(({ id }) => id), totalCount };
};

describe.each(Object.keys(INDEXED) as (keyof typeof INDEXED)[])('%s', (entity) => {
  test('a list has what people see that fits, its count is its length, and a rule, a text and JSON select the same', async () => {
    const world = await withRecords(entity);
    const { made, asked } = world;
    const compile = await ruleCompiler(() => fieldsOf(entity));
    const tried = Object.entries(asked.fields).flatMap(([name, field]) => (isTried(field, name) ? name : []));
    expect(Object.keys(made[0]?.values ?? {}).toSorted()).toEqual(tried.toSorted());
    const isRuled = (filter: Filter) =>
      leavesOf(filter).every(({ field, value }) => {
        const { listsOnly, late, kind } = asked.fields[field] ?? {};
        return !(listsOnly || late || (kind === 'person' && [value].flat().includes('me')));
      });
    await fc.assert(
      fc.asyncProperty(randomFilters(asked, made), fc.nat(20), async (filter, paginateFrom) => {
        const expected = made.filter((one) => fits(filter, one, asked)).map(({ id }) => id);
        const { ids, totalCount } = await listed(world, JSON.stringify(filter));
        expect({ ids: ids.toSorted(), totalCount }).toEqual({ ids: expected.toSorted(), totalCount: expected.length });
        const { text, count } = await world.organization.admin.ok('checkFilter', { body: { entity, filter } as never });
        expect(count).toBe(expected.length);
        const part = ids.slice(paginateFrom, paginateFrom + 5);
        expect(await listed(world, text, { paginateFrom, paginateSize: 5 })).toEqual({ ids: part, totalCount });
        if (!isRuled(filter)) return;
        const { test: isOf } = compile(filter);
        expect(made.flatMap(({ id, seen }) => (seen && isOf(seen) ? id : []))).toEqual(expected);
      }),
      { numRuns: runs(entity === 'finding' ? 20 : 5, 100) },
    );
  });
});

describe('lists in the order of time', () => {
  test('of tasks have exactly those that fit, on all pages together', async () => {
    const { organization, asked, people } = await withPeople('task');
    const drafts = fc.record({
      operation: fc.constantFrom('ingest_report' as const, 'create_engagement' as const, 'update_findings' as const),
      by: fc.constantFrom(...people),
      status: fc.constantFrom(...TASK_STATUSES),
      days: fc.nat(20),
      resource: fc.option(fc.constantFrom(newId(), newId())),
    });
    const made: Made[] = [];
    for (const { by, status, days, resource, operation } of fc.sample(drafts, { numRuns: RECORDS, seed: 7 })) {
      const task = newTask(actor(by), { operation, job: 'ingest', unit: 'things', input: {} });
      const createdAt = new Date(Date.now() - days * DAY_MS).toISOString();
      const finishedAt = status === 'queued' || status === 'running' ? undefined : now();
      const named = resource === null ? {} : { resource: { type: 'finding', id: resource } as const };
      const batch = organization.table.batch();
      batch.write(...newTaskWrites(organization.table, { ...task, status, createdAt, finishedAt, ...named } as never));
      await batch.commit();
      const values = { operation: [operation], status: [status], by: [by], created: [createdAt] };
      const finished = finishedAt ? [finishedAt] : [];
      made.push({ id: task.id, values: { ...values, resource: [resource ?? []].flat(), finished } });
    }
    await expectTried({ organization, asked, made, list: 'listTasks' }, ({ id }) => String(id));
  });

  test('of the audit log have exactly those that fit, on all pages together', async () => {
    const { organization, asked } = await withPeople('audit');
    const { admin } = organization;
    const analyst = await organization.withRole('analyst');
    for (const n of [1, 2, 3]) {
      const body = { title: `x${n}`, severity: 'low' as const, asset: { type: 'host' as const, value: `web-${n}` } };
      const { id } = await (n > 1 ? analyst : admin).ok('createFinding', { body });
      await admin.ok('updateFinding', { params: { id }, body: { severity: 'high' } });
      if (n > 1) await admin.ok('deleteFinding', { params: { id } });
    }
    const log = async () => (await admin.ok('listAudit', { query: { limit: 500 } })).data;
    const entries = await until(log, (all) => all.filter(({ kind }) => kind === 'deleted').length > 1);
    const made = entries.map(({ number, actor: by, operation, kind, record, fields, masked, ip, at, reason }) => ({
      id: String(number),
      values: {
        actor: [by.id],
        operation: [operation],
        kind: [kind],
        at: [at],
        ip: [ip ?? []].flat(),
        entity: [record?.entity ?? []].flat(),
        record: [record?.id ?? []].flat(),
        field: [...Object.keys(fields), ...masked],
        text: [by.name, reason ?? []].flat(),
      },
    }));
    const last = Math.max(...entries.map(({ number }) => number));
    const known = (one: Record<string, unknown>) => (Number(one.number) > last ? undefined : String(one.number));
    await expectTried({ organization, asked, made, list: 'listAudit' }, known);
  });

  test('of deliveries have exactly those that fit, on all pages together', async () => {
    const { organization, asked } = await withPeople('delivery');
    const targets = [newId(), newId()];
    const drafts = fc.record({
      targetId: fc.constantFrom(...targets),
      channel: fc.constantFrom(...CHANNELS),
      type: fc.constantFrom('finding.created', 'finding.fixed', 'jira.comment'),
      subject: fc.constantFrom(`finding/${newId()}`, `ticket/${newId()}`, `user/${newId()}`),
      status: fc.constantFrom(...STATES),
      days: fc.nat(20),
    });
    const made: Made[] = [];
    for (const { days, status, ...draft } of fc.sample(drafts, { numRuns: RECORDS, seed: 7 })) {
      const createdAt = new Date(Date.now() - days * DAY_MS).toISOString();
      const sentAt = status === 'sent' ? createdAt : null;
      const delivery = newDelivery({ ...draft, id: newId(), payload: '{}' });
      await keepDelivery(organization.table, { ...delivery, status, createdAt, sentAt });
      const { channel, type, subject, targetId } = draft;
      const [about = '', record = ''] = subject.split('/');
      const values = { status: [status], channel: [channel], type: [type], about: [about], record: [record] };
      const times = { created: [createdAt], sent: [sentAt ?? []].flat() };
      made.push({ id: delivery.id, values: { ...values, ...times, target: [targetId] } });
    }
    await expectTried({ organization, asked, made, list: 'listSentDeliveries' }, ({ id }) => String(id));
  });

  async function expectTried(world: World, idOf: (one: Record<string, unknown>) => string | undefined) {
    const { made, asked } = world;
    const tried = Object.entries(asked.fields).flatMap(([name, field]) => (isTried(field, name) ? name : []));
    expect(Object.keys(made[0]?.values ?? {}).toSorted()).toEqual(tried.toSorted());
    await fc.assert(
      fc.asyncProperty(randomFilters(asked, made), fc.integer({ min: 1, max: 50 }), async (filter, limit) => {
        const found: string[] = [];
        for (let before: unknown; before !== null; ) {
          const query = { filter: JSON.stringify(filter), limit, ...(before !== undefined && { before }) };
          const page = (await called(world, world.list, { query })) as {
            data: Record<string, unknown>[];
            next: unknown;
          };
          found.push(...page.data.flatMap((one) => idOf(one) ?? []));
          before = page.next ?? null;
        }
        const expected = made.filter((one) => fits(filter, one, asked)).map(({ id }) => id);
        expect(found.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: runs(5, 100) },
    );
  }
});

describe('the preview of a bulk change names exactly the records that the change changes, and its undo returns them', () => {
  type Change = { changes: Record<string, unknown>; reason?: string };
  const own = { assigneeId: 'me' };
  test.each<[entity: keyof typeof INDEXED, operation: OperationName, undo: OperationName, changes: Change[]]>([
    [
      ...(['finding', 'updateFindings', 'undoFindingsUpdate'] as const),
      [{ changes: { addTags: ['urgent'] } }, { changes: { status: 'false_positive' }, reason: 'x' }, { changes: own }],
    ],
    [
      ...(['vulnerability', 'updateVulnerabilities', 'undoVulnerabilitiesUpdate'] as const),
      [{ changes: { status: 'false_positive', reason: 'x' } }, { changes: own }],
    ],
    [
      ...(['exposed-credential', 'updateExposedCredentials', 'undoExposedCredentialsUpdate'] as const),
      [{ changes: { status: 'rotated' }, reason: 'x' }],
    ],
    [
      ...(['alert', 'updateAlerts', 'undoAlertsUpdate'] as const),
      [{ changes: { status: 'acknowledged' } }, { changes: { severity: 'low' } }, { changes: own }],
    ],
    [
      ...(['incident', 'updateIncidents', 'undoIncidentsUpdate'] as const),
      [{ changes: { status: 'contained' } }, { changes: { severity: 'low' } }, { changes: own }],
    ],
  ])('%s', async (entity, operation, undo, all) => {
    const world = await withRecords(entity);
    const { asked, made, organization } = world;
    const versions = () => INDEXED[entity].versions(organization.table);
    await fc.assert(
      fc.asyncProperty(randomFilters(asked, made), fc.constantFrom(...all), async (filter, { changes, reason }) => {
        const given = 'assigneeId' in changes ? { assigneeId: asked.me } : changes;
        const body = { filter: { filter: JSON.stringify(filter) }, changes: given, ...(reason && { reason }) };
        const run = (more: object) =>
          called(world, operation, { query: { waitSeconds: 20 }, body: { ...body, ...more } }) as Promise<{
            taskId: string;
            preview?: { changed: number };
          }>;
        const { preview, taskId } = await run({ dryRun: true });
        const { ids } = await listed(world, `preview:${taskId}`);
        const before = await versions();
        const task = await run({});
        await finished(organization.admin, task.taskId);
        const after = await versions();
        const changed = [...before].flatMap(([id, version]) => (after.get(id) === version ? [] : id));
        expect(ids.toSorted()).toEqual(changed.toSorted());
        expect(preview?.changed).toBe(changed.length);
        const undoing = { operation: undo, taskId: task.taskId } as never;
        const back = await organization.admin.ok('previewChange', { body: undoing });
        expect(back.preview).toMatchObject({ changed: changed.length, refusedCount: 0 });
        expect((await listed(world, `preview:${back.taskId}`)).ids.toSorted()).toEqual(changed.toSorted());
        const undone = await organization.admin.ok(undo as 'undoFindingsUpdate', { params: { taskId: task.taskId } });
        const { result } = await finished(organization.admin, undone.taskId);
        expect(result).toMatchObject({ restored: changed.length, changedSinceCount: 0 });
      }),
      { numRuns: runs(1, 12) },
    );
  });
});

describe('a hostile filter is refused with its place, or answered, and never breaks the service', () => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await system.newOrganization();
  });
  const nested = (levels: number, inner: unknown = { field: 'kev', operator: 'equals', value: 'true' }): unknown => {
    let filter = inner;
    for (let n = 0; n < levels; n++) filter = { not: filter };
    return filter;
  };
  test.each<[string, unknown, RegExp]>([
    ['parentheses', `${'('.repeat(900)}kev:true${')'.repeat(900)}`, /^column 2\d: more than 20 groups/],
    ['negations', `${'-'.repeat(1_900)}kev:true`, /^column 2\d: more than 20 groups/],
    ['levels', `${'-('.repeat(8)}kev:true${')'.repeat(8)}`, /nested more than 5 levels/],
    ['JSON levels', nested(6), /nested more than 5 levels/],
    ['comparisons', Array.from({ length: 51 }, () => 'kev:true').join(' '), /more than 50 comparisons/],
    ['values', `tool:${Array.from({ length: 201 }, (_, n) => n).join()}`, /more than 200 values/],
    ['length', 'a'.repeat(2_001), /2000/],
    ['an open quotation mark', `kev:true "${'\\"'.repeat(900)}`, /^column 10: the quotation mark is not closed/],
    ['an open group behind wide characters', '"😀" (', /^column 7: a comparison or a word is missing/],
    ['a wildcard', `tag:${'*a'.repeat(900)}`, /no index answers/],
    ['a blank', ' ', /./],
    ['a member of the prototype', 'constructor:x', /^column 1: constructor is no field/],
    ['another member', { field: 'constructor', operator: 'equals', value: 'x' }, /constructor is no field/],
  ])('%s', async (_name, filter, problem) => {
    const answer = await organization.admin.call('checkFilter', { body: { entity: 'finding', filter } as never });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const { details = [] } = answer.body as { details?: { message: string }[] };
    expect(details.map(({ message }) => message).join()).toMatch(problem);
  });

  test.each([
    ['names that grow without letter case', `tag:${'ẞ'.repeat(250)} asset.tag:${'İ'.repeat(250)}`],
    ['a field in another alphabet', 'ѕeverity:high'],
    ['half of a character', 'tag:\ud800 "\udc00x"'],
    ['control characters', 'tag:"\u0000\u001f" weak'],
    ['marks on a letter', `we${'\u0301'.repeat(1_500)}`],
    ['alternatives', Array.from({ length: 25 }, (_, n) => `(tag:${n} OR -tool:t${n})`).join(' ')],
  ])('%s', async (_name, filter) => {
    const answer = await organization.admin.call('listFindings', { query: { filter } });
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) expect(answer.body).toMatchObject({ code: 'validation_failed' });
  });

  test.each([100, 100_000])('%i levels of JSON', async (levels) => {
    const body = `{"entity":"finding","filter":${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}}`;
    const answer = await organization.admin.send('POST', '/api/v1/filters/check', { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: expect.stringMatching(/^(validation_failed|invalid_json)$/) },
    });
  });
});
