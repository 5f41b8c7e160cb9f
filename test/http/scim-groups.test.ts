import { beforeAll, describe, expect, test } from 'vitest';
import { scimGroups } from '#shared/people/scim-group.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { added, type Directory, directoryOf, GROUP, patchOf, query, refused } from '../support/scim.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
let directory: Directory;
beforeAll(async () => {
  directory = await directoryOf(system, await system.newOrganization());
});

test('a list has pages that start at 1, and no filter that would read every user', async () => {
  const own = await system.newOrganization();
  const send = await directoryOf(system, own);
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await added(send)).id);
  const page = async (range: string) => (await send('GET', `/Users?${range}`)).body;
  const idsIn = (body: Record<string, unknown>) => [body.Resources].flat().map((one) => Object(one).id);
  const second = await page('startIndex=3&count=2');
  expect(second).toMatchObject({ totalResults: 5, startIndex: 3, itemsPerPage: 2 });
  expect(idsIn(second)).toEqual(ids.slice(2, 4));
  expect(await page('count=0')).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
  expect(await page('startIndex=0&count=500')).toMatchObject({ totalResults: 5, startIndex: 1, itemsPerPage: 5 });
  expect(await page('aadOptscim062020=true')).toMatchObject({ totalResults: 5 });
  const filters = [
    'userName sw "a"',
    'userName pr',
    'displayName eq "x"',
    'a eq "b" and id eq "c"',
    'emails[type eq "work"]',
    '((',
  ];
  for (const filter of filters)
    expect([filter, await send('GET', `/Users${query(filter)}`)]).toMatchObject([
      filter,
      refused(400, 'invalidFilter'),
    ]);
});

describe('a group', () => {
  const created = async (members: string[] = []) => {
    const displayName = `Group ${newId()}`;
    const body = { schemas: [GROUP], externalId: newId(), displayName, members: members.map((value) => ({ value })) };
    const answer = await directory('POST', '/Groups', body);
    expect(answer).toMatchObject({ status: 201, body });
    return { id: String(answer.body.id), displayName };
  };
  const membersOf = async (id: string) => {
    const { members = [] }: { members?: { value: string }[] } = (await directory('GET', `/Groups/${id}`)).body;
    return members.map(({ value }) => value);
  };

  test('is found by its name and loses and gets members in the spellings of Entra ID and Okta', async () => {
    const [a, b, c] = [(await added(directory)).id, (await added(directory)).id, (await added(directory)).id];
    const { id, displayName } = await created([a]);
    const found = await directory('GET', `/Groups?excludedAttributes=members&filter=displayName eq "${displayName}"`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, displayName }] });
    expect(JSON.stringify(found.body)).not.toContain('members');
    const steps: [object, string[]][] = [
      [{ op: 'Add', path: 'members', value: [{ $ref: null, value: b }] }, [a, b]],
      [{ op: 'add', path: 'members', value: [{ value: b, display: 'test@example.org' }] }, [a, b]],
      [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] }, [b]],
      [{ op: 'Remove', path: 'members', value: [{ value: a }] }, [b]],
      [{ op: 'remove', path: `members[value eq "${b}"]` }, []],
      [{ op: 'remove', path: `members[value eq "${b}"]` }, []],
      [{ op: 'replace', path: 'members', value: [{ value: a }, { value: c }] }, [a, c]],
      [{ op: 'replace', value: { id, displayName } }, [a, c]],
      [{ op: 'Remove', path: 'members' }, []],
    ];
    for (const [operation, members] of steps) {
      expect(await directory('PATCH', `/Groups/${id}`, patchOf(operation))).toMatchObject({ status: 200 });
      expect([operation, await membersOf(id)]).toEqual([operation, members]);
    }
    const renamed = await directory('PUT', `/Groups/${id}`, {
      schemas: [GROUP],
      displayName: 'Renamed',
      members: [{ value: c }],
    });
    expect(renamed).toMatchObject({ status: 200, body: { displayName: 'Renamed', members: [{ value: c }] } });
    expect((await directory('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect(await directory('GET', `/Groups/${id}`)).toMatchObject(refused(404));
  });

  test('has a name of its own, and only users as members', async () => {
    const { id, displayName } = await created();
    const again = { schemas: [GROUP], displayName: displayName.toUpperCase() };
    expect(await directory('POST', '/Groups', again)).toMatchObject(refused(409, 'uniqueness'));
    const strange = patchOf({ op: 'add', path: 'members', value: [{ value: newId() }] });
    expect(await directory('PATCH', `/Groups/${id}`, strange)).toMatchObject(refused(400, 'invalidValue'));
  });

  test('loses no member, when many are added at the same time', async () => {
    const members = [(await added(directory)).id, (await added(directory)).id, (await added(directory)).id];
    const { id } = await created();
    await Promise.all(
      members.map((value) =>
        directory('PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value: [{ value }] })),
      ),
    );
    expect((await membersOf(id)).toSorted()).toEqual(members.toSorted());
  });
});

describe('a team that follows a group', () => {
  const world = async (size = 2) => {
    const organization = await system.newOrganization();
    const send = await directoryOf(system, organization);
    const people = await Promise.all(Array.from({ length: size }, async () => (await added(send)).id));
    const members = people.map((value) => ({ value }));
    const group = await send('POST', '/Groups', { schemas: [GROUP], displayName: 'Shop', externalId: 'g-1', members });
    const id = String(group.body.id);
    const patchMembers = (op: string, ids: string[]) =>
      send('PATCH', `/Groups/${id}`, patchOf({ op, path: 'members', value: ids.map((value) => ({ value })) }));
    return { ...organization, send, people, id, patchMembers };
  };
  const invalidAt = (path: string) => ({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });

  test('has its members, loses and gets them with it, and keeps them when the group is gone', async () => {
    const { admin, people, id, send, patchMembers } = await world();
    const [a = '', b = ''] = people;
    expect((await admin.ok('listDirectoryGroups')).data).toEqual([
      { id, name: 'Shop', externalId: 'g-1', memberCount: 2 },
    ]);
    const team = await admin.ok('createTeam', { body: { name: 'Shop', scimGroupId: id, leadId: a } });
    expect(team).toMatchObject({ memberIds: [a, b], leadId: a });
    const shown = () => admin.ok('getTeam', { params: { id: team.id } });
    const c = (await added(send)).id;
    await patchMembers('add', [c]);
    expect(await shown()).toMatchObject({ memberIds: [a, b, c], leadId: a });
    await patchMembers('remove', [a]);
    expect(await shown()).toMatchObject({ memberIds: [b, c], leadId: null });
    const { data } = await admin.ok('listTeams', { query: { memberId: c } });
    expect(data.map((one) => one.id)).toEqual([team.id]);
    await send('DELETE', `/Groups/${id}`);
    expect(await shown()).toMatchObject({ memberIds: [b, c], scimGroupId: null });
  });

  test('is linked later and unlinked by people, who give it no other members meanwhile', async () => {
    const { admin, people, id, patchMembers, person } = await world();
    const other = (await person('viewer')).id;
    const team = await admin.ok('createTeam', { body: { name: 'Shop', memberIds: [other] } });
    const change = (body: object) => admin.call('updateTeam', { params: { id: team.id }, body });
    expect(await change({ scimGroupId: id })).toMatchObject({ status: 200, body: { memberIds: people } });
    expect(await change({ memberIds: [other] })).toMatchObject(invalidAt('memberIds'));
    expect(await change({ leadId: other })).toMatchObject(invalidAt('leadId'));
    expect(await change({ scimGroupId: newId() })).toMatchObject(invalidAt('scimGroupId'));
    const left = await change({ scimGroupId: null, memberIds: [other] });
    expect(left).toMatchObject({ status: 200, body: { scimGroupId: null, memberIds: [other] } });
    await patchMembers('remove', people);
    expect(await admin.ok('getTeam', { params: { id: team.id } })).toMatchObject({ memberIds: [other] });
  });

  test('has all of a large group, and of a group that grows too large the first 99', async () => {
    const { admin, id, table, send } = await world(1);
    const some = (count: number) => Array.from({ length: count }, () => newId());
    const first = await table.modify(scimGroups, id, () => ({ members: some(99) }));
    const team = await admin.ok('createTeam', { body: { name: 'All', scimGroupId: id } });
    expect(team.memberIds).toEqual(first.members);
    const next = await table.modify(scimGroups, id, () => ({ members: some(120) }));
    await send('PATCH', `/Groups/${id}`, patchOf({ op: 'replace', path: 'displayName', value: 'Everybody' }));
    expect(await admin.ok('getTeam', { params: { id: team.id } })).toMatchObject({
      memberIds: next.members.slice(0, 99),
    });
  });

  test('belongs to the own organization, and to a group that fits', async () => {
    const [own, theirs] = [await world(1), await system.newOrganization()];
    const body = { name: 'Shop', scimGroupId: own.id };
    expect(await theirs.admin.call('createTeam', { body })).toMatchObject(invalidAt('scimGroupId'));
    await own.table.modify(scimGroups, own.id, () => ({ members: Array.from({ length: 100 }, () => newId()) }));
    expect(await own.admin.call('createTeam', { body })).toMatchObject(invalidAt('scimGroupId'));
  });
});
