import { beforeAll, expect, test } from 'vitest';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Client, RequestOf } from '../support/client.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

let organization: TestOrganization;
let person: Client & { id: string };
let inside: string[];
let outside: string[];

beforeAll(async () => {
  organization = await system.newOrganization();
  person = await organization.person('analyst', { zones: ['dmz'] });
  const on = async (zone: string) =>
    (await addFinding(organization.table, { asset: { id: newId(), type: 'host', name: zone, zone } }, now())).id;
  inside = [await on('dmz'), await on('dmz')];
  outside = [await on('lab')];
});

async function made(client: Client, body: RequestOf<'createRemediation'>['body']) {
  const { id, taskId } = await client.ok('createRemediation', { body });
  if (taskId) expect(await finished(client, taskId)).toMatchObject({ status: 'succeeded' });
  return id;
}

const codeOf = async (answer: Promise<{ body: unknown }>) => Object((await answer).body).code;

test('a person with a part has the remediations that are their own work, with the findings of the part', async () => {
  const { admin } = organization;
  const other = await organization.person('analyst', { zones: ['dmz'] });
  const findingIds = [...inside, ...outside];
  const own = await made(person, { title: 'own', findingIds: inside });
  const given = await made(admin, { title: 'given', findingIds, assigneeId: person.id });
  const foreign = await made(admin, { title: 'foreign', findingIds, assigneeId: other.id });
  const empty = await made(admin, { title: 'empty' });
  await admin.ok('updateFinding', { params: { id: inside[0] ?? '' }, body: { status: 'fixed', reason: 'patched' } });
  for (const query of [{}, { search: 'own' }, { assigneeId: 'me' }, { status: ['planned' as const] }]) {
    const all = await admin.ok('listRemediations', {
      query: { ...query, ...('assigneeId' in query && { assigneeId: person.id }) },
    });
    const expected = all.data.filter(({ id }) => [own, given].includes(id)).map(({ progress: _all, ...one }) => one);
    const page = await person.ok('listRemediations', { query });
    expect(page.data.map(({ progress: _own, ...one }) => one)).toEqual(expected);
    expect(page.totalCount).toBe(expected.length);
  }
  for (const id of [own, given]) {
    const { progress } = await person.ok('getRemediation', { params: { id } });
    const linked = await person.ok('listFindings', { query: { remediationId: id } });
    expect(progress).toEqual({ total: linked.totalCount, fixed: 1, fixedByScan: 0 });
    expect(linked.totalCount).toBe(2);
  }
  expect((await admin.ok('getRemediation', { params: { id: given } })).progress.total).toBe(3);
  for (const id of [foreign, empty, newId()]) {
    const params = { id };
    expect(await codeOf(person.call('getRemediation', { params }))).toBe('not_found');
    expect(await codeOf(person.call('updateRemediation', { params, body: { title: 'mine' } }))).toBe('not_found');
    expect(await codeOf(person.call('deleteRemediation', { params }))).toBe('not_found');
    const link = { ids: inside, changes: { addRemediationId: id } };
    expect(await codeOf(person.call('updateFindings', { body: link }))).toBe('validation_failed');
  }
  expect((await admin.ok('getRemediation', { params: { id: foreign } })).title).toBe('foreign');
});

test('a person with a part links findings of the part alone, and keeps what is outside of it', async () => {
  const { admin } = organization;
  const body = { title: 'patch', findingIds: outside };
  expect(await codeOf(person.call('createRemediation', { body }))).toBe('validation_failed');
  const id = await made(admin, { title: 'shared', findingIds: outside, assigneeId: person.id });
  const params = { id };
  const changed = await person.ok('updateRemediation', { params, body: { findingIds: inside, status: 'in_progress' } });
  await finished(person, changed.taskId ?? '');
  expect((await person.ok('getRemediation', { params })).progress.total).toBe(2);
  expect((await admin.ok('getRemediation', { params })).progress.total).toBe(3);
  const away = person.call('updateRemediation', { params, body: { assigneeId: null } });
  expect(await codeOf(away)).toBe('insufficient_scope');
  expect((await admin.ok('getRemediation', { params })).assigneeId).toBe(person.id);
});

test('a remediation that its maker deletes leaves no link, also where others linked findings of other parts', async () => {
  const { admin } = organization;
  const id = await made(person, { title: 'short', findingIds: inside });
  const query = { waitSeconds: 20 };
  await admin.ok('updateFindings', { query, body: { ids: outside, changes: { addRemediationId: id } } });
  const linked = async () => (await admin.ok('listFindings', { query: { remediationId: id } })).totalCount;
  expect(await linked()).toBe(3);
  await person.ok('deleteRemediation', { params: { id } });
  await expect.poll(linked, { timeout: 15_000 }).toBe(0);
});
