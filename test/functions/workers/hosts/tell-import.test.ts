import { generateKeyPairSync } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { queueSync } from '#shared/code/code-hosts/sync.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { type DeliveryRow, sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import { openNetwork } from '#shared/platform/runtime/network.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { githubRepository, startGithub } from '../../../support/code-hosts/github.ts';
import { giveSealingKey, makeIntegration } from '../../../support/integrations.ts';
import { codeScan, sarif } from '../imports/reports.ts';
import { redriven, startWorld } from '../imports/world.ts';

const world = await startWorld();
const hub = await startGithub();
afterAll(() => Promise.all([world.stop(), hub.stop()]));
giveSealingKey(world.connections);
Object.assign(world.connections, { network: openNetwork({ CODE_HOSTS_PRIVATE: '1' }) });

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
hub.app = { id: '77', publicKey };
hub.repositories.push(githubRepository(1, 'till'));
const commit = 'c'.repeat(40);
hub.proposals[commit] = [
  { number: 3, state: 'closed' },
  { number: 5, state: 'open' },
];

async function connected(table: Table): Promise<(rules: string[], scanType: string, more?: object) => Promise<void>> {
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const access = { app: { appId: '77', installationId: '5', privateKey: key } };
  const settings = { baseUrl: hub.url, access: 'app' as const };
  const { connections } = world;
  const { id } = await makeIntegration({ connections, table }, { webhook: 'whsec_x', access }, settings);
  await queueSync({ connections, table }, id);
  await world.drain();
  const [repository] = (await table.list(repositories, { paginateFrom: 0, paginateSize: 1 })).data;
  if (!repository) throw new Error('the account has a repository');
  await table.update(repositories, repository, { scanPolicy: { ...repository.scanPolicy, failOn: 'high' } });
  const { value } = await table.get(assets, repository.assetId);
  const send = async (rules: string[], scanType: string, more: object = {}) => {
    const results = rules.map((rule) => ({ rule, file: `${rule}.ts`, level: 'error' as const }));
    const target = { type: 'repository' as const, value };
    await world.ingest(table, codeScan(sarif(results), { target, scanType, commit, ref: 'fix', ...more }));
    await world.drain();
  };
  await send([], 'sast', { commit: 'a'.repeat(40), ref: 'main' });
  hub.told.statuses.length = 0;
  return send;
}

test('a pull request hears of all reports on its commit in one check and one comment, which the next report brings up to date', async () => {
  const send = await connected(world.newOrganization());
  await send(['sqli'], 'sast');
  expect(hub.told.statuses[0]).toMatchObject({ state: 'failure', target_url: expect.stringContaining('/findings?') });
  expect(hub.told.comments).toMatchObject([
    { body: expect.stringMatching(/1 high.*sqli.*\/findings\/[0-9a-f-]{36}/s) },
  ]);
  await send(['xss'], 'dast');
  expect(hub.told.comments).toMatchObject([{ body: expect.stringMatching(/2 high/) }]);
  // the retry of a job is the same report
  await send(['sqli'], 'sast');
  expect(hub.told.comments).toMatchObject([{ body: expect.stringMatching(/2 high/) }]);
  await send([], 'sast');
  await send([], 'dast');
  expect(hub.told.comments).toMatchObject([{ body: expect.stringMatching(/No new findings/) }]);
  expect(hub.told.checks.filter(({ external_id: id }) => id === `import-${commit}`)).toMatchObject([
    { conclusion: 'success', output: { annotations: [{ path: 'sqli.ts' }] } },
  ]);
});

test('a repository that is not connected, and a report without a commit, are reported to nobody', async () => {
  const send = await connected(world.newOrganization());
  hub.told.statuses.length = 0;
  await send(['sqli'], 'sast', { commit: undefined });
  await world.ingest(world.newOrganization(), codeScan(sarif([]), { commit }));
  await world.drain();
  expect(hub.told.statuses).toEqual([]);
});

test('a report that the host takes at no attempt is dead in the ledger, and is sent once somebody sends it again', async () => {
  const table = world.newOrganization();
  const send = await connected(table);
  const [repository] = (await table.list(repositories, { paginateFrom: 0, paginateSize: 1 })).data;
  const ledger = async (): Promise<DeliveryRow[]> =>
    (await table.rows(sentDeliveries).query(repository?.integrationId ?? '', { consistent: true })).filter(
      ({ status }) => status !== 'sent',
    );
  hub.refuse({ method: 'POST', end: /\/statuses\/\w+$/, reply: { status: 503 } });
  await expect(send(['sqli'], 'sast')).rejects.toThrow('a message never succeeds');
  hub.refuse();
  const [dead, ...others] = await ledger();
  expect(others).toEqual([]);
  expect(dead).toMatchObject({ channel: 'code_host', type: 'code_host.status', status: 'dead' });
  expect(dead?.attempts.map(({ error }) => error)).toEqual(Array(jobs.hosts.attempts).fill('It answers 503.'));
  const [message] = world.messages;
  expect(message?.queue).toBe(queueName(jobs.hosts));
  Object.assign(message ?? {}, redriven());
  await world.drain();
  expect(await ledger()).toEqual([]);
});
