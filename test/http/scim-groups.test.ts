import { beforeAll, describe, expect, test } from 'vitest';
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
