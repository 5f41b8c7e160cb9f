import { beforeAll, expect, test } from 'vitest';
import { startWork } from '../support/applications.ts';
import { repository, soon, toolReport } from '../support/shop.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** A role for a part imports reports on the repositories and images of the part, and nothing about other assets. */
const system = startSystem();
const other = 'https://git.example.com/acme/other';
const image = 'registry.example.com/other:1';
let organization: TestOrganization;
let shop: string;

beforeAll(async () => {
  organization = await system.newOrganization();
  const { application, link } = await startWork(organization);
  shop = await application('shop');
  await whole({ content: toolReport(['old']) });
  await whole({ content: toolReport(['secret']), repository: other });
  const { data } = await organization.admin.ok('listAssets', { query: { filter: 'shop' } });
  await link(shop, data[0]?.id ?? '');
});

const whole = (body: object) =>
  organization.admin.ok('importFindings', { query: soon, body: { repository, ref: 'main', format: 'sarif', ...body } });

const personOf = (scope: object) => organization.person('analyst', scope);
type Person = Awaited<ReturnType<typeof personOf>>;

const send = (person: Person, body: object) =>
  person.call('importFindings', {
    query: soon,
    body: { repository, ref: 'main', content: toolReport(['new']), ...body },
  });

const statuses = async (client: Pick<Person, 'ok'>) =>
  (await client.ok('listFindings', {})).data.map(({ ruleId, status }) => `${ruleId} ${status}`).sort();

/** Two findings of the generic report: one of the target, the other of an image. */
const ofTwo = JSON.stringify({
  findings: [
    { id: 'x', title: 'x', severity: 'high', ruleId: 'x', path: 'src/x.ts' },
    { id: 'y', title: 'y', severity: 'high', ruleId: 'y', asset: { type: 'container_image', value: image } },
  ],
});

test('a report on a repository of the part is imported and judged, and closes what it no longer has', async () => {
  const person = await personOf({ applicationIds: [shop] });
  const { body } = await send(person, {});
  expect(body).toMatchObject({ status: 'succeeded', task: { result: { created: 1, closed: 1 } } });
  expect(await statuses(person)).toEqual(['new open', 'old fixed']);
  expect(await statuses(organization.admin)).toEqual(['new open', 'old fixed', 'secret open']);
  const params = { taskId: Object(body).taskId };
  expect(await person.ok('judgeImport', { params, query: { failOn: 'high' } })).toMatchObject({ passed: false });
  expect(await person.ok('getTask', { params: { id: params.taskId } })).toMatchObject({ status: 'succeeded' });
});

test('a target outside of the part does not exist, and an import without a repository or an image is refused', async () => {
  const person = await personOf({ applicationIds: [shop] });
  const missing = { status: 400, body: { code: 'not_found' } };
  const refused = { status: 401, body: { code: 'insufficient_scope' } };
  expect(await send(person, { repository: other })).toMatchObject(missing);
  expect(await send(person, { repository: 'https://git.example.com/acme/none' })).toMatchObject(missing);
  expect(await send(person, { target: { type: 'container_image', value: image } })).toMatchObject(missing);
  expect(await send(person, { target: { type: 'repository', value: repository, zone: 'lab' } })).toMatchObject(missing);
  for (const body of [{ repository: undefined }, { target: '10.0.0.0/8' }, { target: 'https://shop.example.com/' }])
    expect(await send(person, body)).toMatchObject(refused);
  const nobody = await personOf({ zones: ['nowhere'] });
  expect(await send(nobody, {})).toMatchObject(missing);
});

test('entries about other assets are rejected, also those of a report that somebody else sent before', async () => {
  const person = await personOf({ applicationIds: [shop] });
  const generic = { format: 'generic', content: ofTwo };
  const { body } = await send(person, generic);
  expect(body).toMatchObject({ status: 'succeeded', task: { result: { created: 1, rejectedCount: 1 } } });
  expect(await statuses(organization.admin)).not.toContain('y open');
  await whole(generic);
  expect(await statuses(organization.admin)).toContain('y open');
  const empty = { format: 'generic', content: JSON.stringify({ findings: [] }) };
  expect((await send(person, empty)).body).toMatchObject({ status: 'succeeded' });
  expect(await statuses(organization.admin)).toContain('y open');
});

test('an import of somebody else is not there', async () => {
  const person = await personOf({ applicationIds: [shop] });
  const { taskId } = await whole({ content: toolReport(['new']) });
  expect(await person.call('judgeImport', { params: { taskId }, query: {} })).toMatchObject({
    status: 400,
    body: { code: 'not_found' },
  });
  for (const operation of ['undoImport', 'confirmHeldClosing'] as const)
    expect(await person.call(operation, { params: { taskId } })).toMatchObject({
      status: 400,
      body: { code: 'not_found' },
    });
  expect((await person.ok('listImports', {})).data).toEqual([]);
});

test('somebody with a part lists own imports, confirms a held closing and undoes it', async () => {
  const person = await personOf({ applicationIds: [shop] });
  const many = Array.from({ length: 30 }, (_, n) => `held${n}`);
  await send(person, { content: toolReport(many) });
  const { body } = await send(person, { content: toolReport(['held0']) });
  expect(body).toMatchObject({ status: 'succeeded', task: { result: { held: { count: 29 } } } });
  const { data } = await person.ok('listImports', { query: { held: 'true' } });
  expect(data).toMatchObject([{ taskId: Object(body).taskId, held: { count: 29 } }]);
  expect((await person.ok('listImports', {})).data).toHaveLength(2);
  const params = { taskId: data[0]?.taskId ?? '' };
  const { taskId } = await person.ok('confirmHeldClosing', { params });
  await expect.poll(async () => (await person.ok('getTask', { params: { id: taskId } })).status).toBe('succeeded');
  expect(await statuses(person)).toContain('held1 fixed');
  expect(await person.ok('undoImport', { params, query: soon })).toMatchObject({ status: 'succeeded' });
  expect(await statuses(person)).toContain('held1 open');
  expect(await statuses(organization.admin)).toContain('secret open');
});

test('the gate of a build is that of the whole organization, without reports that name other assets', async () => {
  const person = await personOf({ applicationIds: [shop] });
  const named = { repository, ref: 'main', buildId: 'b1' };
  const ask = (client: Pick<Person, 'call'>, query: object = named) =>
    client.call('judgeNamedBuild', { query: { ...named, ...query } });
  await send(person, { buildId: 'b1', scanType: 'one', content: toolReport(['gate']) });
  await whole({ buildId: 'b1', scanType: 'two', content: toolReport([]) });
  const judged = await ask(person);
  expect(judged.body).toMatchObject({ state: 'failed', findings: [{ ruleId: 'gate' }] });
  expect(judged.body).toEqual((await ask(organization.admin)).body);
  await send(person, { buildId: 'b2', scanType: 'one', content: toolReport([]) });
  expect((await ask(person, { buildId: 'b2' })).body).toMatchObject({ state: 'passed' });
  await whole({ buildId: 'b2', format: 'generic', content: ofTwo });
  expect((await ask(person, { buildId: 'b2' })).body).toMatchObject({
    state: 'incomplete',
    new: { high: 0 },
    findings: [],
    reasons: [expect.stringContaining('outside of your part')],
  });
  const { data } = await organization.admin.ok('listBranches', {});
  for (const { id, assetId } of data) {
    const isSeen = (await person.call('getAsset', { params: { id: assetId } })).status === 200;
    const query = { buildId: 'b1' };
    expect((await person.call('judgeBuild', { params: { id }, query })).status).toBe(isSeen ? 200 : 400);
  }
  for (const unseen of [other, 'https://git.example.com/acme/none'])
    expect((await ask(person, { repository: unseen })).body).toMatchObject({ code: 'not_found' });
});

test('the imports of others that can only be about an asset of the part are there, and no others', async () => {
  const scope = { applicationIds: [shop] };
  const [person, colleague] = [await personOf(scope), await personOf(scope)];
  const boundTo = { repositories: [repository] };
  const { secret } = await organization.admin.ok('createApiKey', {
    body: { name: 'ci', scopes: ['imports:write'], boundTo },
  });
  const bound = system.client(() => secret);
  const { body } = await send(colleague, { content: toolReport(['shared']) });
  const ofKey = await bound.ok('importFindings', {
    query: soon,
    body: { content: toolReport(['bound']), ref: 'main' },
  });
  await whole({ format: 'generic', content: ofTwo });
  const { data: assets } = await person.ok('listAssets', {});
  const assetId = assets[0]?.id ?? '';
  const { data, totalCount } = await person.ok('listImports', { query: { assetId } });
  expect(data.slice(0, 2).map(({ taskId }) => taskId)).toEqual([ofKey.taskId, Object(body).taskId]);
  expect(data.every(({ links }) => !links.undo && !links.confirm)).toBe(true);
  const all = await organization.admin.ok('listImports', { query: { assetId } });
  const known = new Map(all.data.map(({ links: _links, ...one }) => [one.taskId, one]));
  expect(data.map(({ links: _links, ...one }) => one)).toEqual(data.map(({ taskId }) => known.get(taskId)));
  expect(all.totalCount).toBeGreaterThan(totalCount);
  expect((await person.ok('listImports', {})).data).toEqual([]);
  const others = await organization.admin.ok('listAssets', { query: { filter: 'other' } });
  for (const { id } of others.data)
    expect((await person.call('listImports', { query: { assetId: id } })).body).toMatchObject({ code: 'not_found' });
});
