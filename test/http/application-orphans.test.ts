import { afterAll, expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { startLocalSystem } from '#local/system.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { named, startWork } from '../support/applications.ts';
import { rowTexts } from '../support/everything-stored.ts';
import { testSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';
import { eventually } from '../support/wait.ts';

/** A system of its own, because the whole table is read. */
const local = await startLocalSystem({ port: 0, checkResponses: true, schedules: false });
await bootstrap(local.connections);
const system = testSystem(local.baseUrl, local.connections);
afterAll(() => local.stop());

/** Rows that tell what happened: tasks, changes, the undo log of two days, and the answers that repeated requests get. */
const TELLS = /#((asset|finding)-change|change-[a-z]+|task|task-list|caused-task|timer|idempotency|finding-undo)#/;
/** Counters and bits, which a recount compares with the records. */
const INDEX = /#[wtmiorj](#|$)/;

/** The rows that name an id, wherever they lie in the table, packed values too. */
async function rowsNaming(id: string): Promise<string[]> {
  const rows = (await rowTexts(local.connections)).filter((text) => text.includes(id));
  const places = rows.map((text) => Object(JSON.parse(text))).map(({ pk, sk }) => [`${pk}`, `${sk}`] as const);
  return places.filter(([pk]) => !TELLS.test(pk) && !INDEX.test(pk)).map(([pk, sk]) => `${pk} ${sk}`);
}

const first = { paginateFrom: 0, paginateSize: 1 };

test('an application that is deleted leaves nothing behind, nor does an environment, a rule, an exclusion or a mapping', async () => {
  const { organization, analyst, host, application, link, rule, newest } = await startWork(
    await system.newOrganization(),
  );
  const { organizationId, table, admin } = organization;
  const [id, other] = [await application('Shop'), await application('Bank')];
  const [one, two, three] = [await host('web-1'), await host('db-1'), await host('x-1')];
  await addFinding(table, log4j({ asset: { id: two, type: 'host', name: 'db-1', zone: null } } as never));
  const environment = await analyst.ok('createEnvironment', { params: { id }, body: { name: 'production' } });
  for (const owner of [id, other])
    await rule(owner, named('web-*'), owner === id ? { environmentId: environment.id } : {});
  const mapping = await link(id, two, { environmentId: environment.id, note: 'the till' });
  await link(other, two);
  await analyst.ok('createAssetExclusion', { params: { id }, body: { assetId: three, reason: 'old' } });
  await analyst.ok('createAssetExclusion', { params: { id }, body: { condition: named('y-*'), reason: 'x' } });
  await analyst.ok('createFinding', {
    body: { title: 'Open page', severity: 'high', assetId: one, description: 'x' } as never,
  });
  await eventually(async () => {
    await follow({ connections: local.connections, table });
    expect((await analyst.ok('listApplicationVulnerabilities', { params: { id } })).totalCount).toBe(1);
  });
  const at = Date.now();
  await work(local.connections, { kind: 'application', organizationId, id: organizationId, at } as never);
  const exclusions = (await analyst.ok('listAssetExclusions', { params: { id } })).data;
  const rules = (await analyst.ok('listAssetRules', { params: { id } })).data;
  const ids = [id, environment.id, mapping.id, ...exclusions.map((one) => one.id), ...rules.map((one) => one.id)];
  expect(ids).toHaveLength(6);

  // an environment goes by itself, with its name in rules and links
  await analyst.ok('deleteEnvironment', { params: { id, env_id: environment.id } });
  await newest();
  await eventually(async () => expect(await rowsNaming(environment.id)).toEqual([]));
  expect((await rowsNaming(id)).length).toBeGreaterThan(5);

  const forTickets = { name: 'Shop', opensFor: 'finding', conditions: { applicationId: id }, project: 'SEC' } as const;
  const unknown = { ...forTickets, conditions: { applicationId: one } };
  expect(await admin.call('createTicketRule', { body: unknown as never })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'conditions.applicationId' }] },
  });
  const ticketRule = await admin.ok('createTicketRule', { body: forTickets as never });
  expect(await analyst.call('deleteApplication', { params: { id } })).toMatchObject({
    status: 400,
    body: { code: 'conflict', details: [{ message: expect.stringContaining(ticketRule.id) }] },
  });
  await admin.ok('deleteTicketRule', { params: { id: ticketRule.id } });
  await analyst.ok('deleteApplication', { params: { id } });
  await newest();
  await eventually(async () => {
    await follow({ connections: local.connections, table });
    for (const gone of ids) expect([gone, await rowsNaming(gone)]).toEqual([gone, []]);
  });
  expect(
    (await analyst.ok('listAssetMappings', { params: { id: other } })).map(({ assetId }) => assetId).toSorted(),
  ).toEqual([one, two].toSorted());
  expect((await admin.ok('listFindings', { query: { applicationId: other } as never })).totalCount).toBe(2);
  for (const entity of [assets, findings, vulnerabilities] as [typeof assets, typeof findings, typeof vulnerabilities])
    expect((await table.list(entity as typeof assets, { ...first, where: { application: id } })).totalCount).toBe(0);
  await expectExact(table, [assets, findings, vulnerabilities]);
});
