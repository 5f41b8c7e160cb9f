import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { arch, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSoftware } from '#local/reference-agent/software.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { startSystem, type TestOrganization } from '../../support/system.ts';
import { until } from '../../support/wait.ts';

/** The agent as an operator starts it, reporting on the machine that runs this test. */
const system = startSystem();
const command = fileURLToPath(new URL('../../../local/agent.ts', import.meta.url));

let stateDirectory: string;
type Launched = { child: ChildProcess; said: { text: string }; exit: Promise<unknown[]> };
let running: Launched | undefined;
beforeEach(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), 'agent-'));
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.exit;
  rmSync(stateDirectory, { recursive: true });
});

function launch(...more: string[]): Launched {
  const child = spawn(process.execPath, [command, '--url', system.baseUrl, '--state-dir', stateDirectory, ...more]);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said.text += text;
    });
  running = { child, said, exit: once(child, 'close') };
  return running;
}

const onlineAgent = async ({ admin }: TestOrganization) => {
  const { data } = await until(
    () => admin.ok('listAgents'),
    ({ data: [agent] }) => agent?.status === 'online',
  );
  const [agent] = data;
  if (!agent) throw new Error('no agent');
  return agent;
};

test('a started agent is online, its host is an asset with its software, and the resources of the host can be read', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('agent', { zone: 'office' });
  const { child, exit } = launch('--link-token', linkToken, '--name', 'reference');
  const agent = await onlineAgent(organization);
  const named = readFileSync('/etc/os-release', 'utf8').match(/^NAME="?([^"\n]+)/m)?.[1];
  expect(agent).toMatchObject({
    name: 'reference',
    hostname: hostname(),
    zone: 'office',
    platform: `linux-${arch()}`,
    os: { family: 'linux', name: named, architecture: arch() },
    machineId: existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8').trim() : null,
  });
  const software = await listSoftware();
  const asset = await organization.table.get(assets, agent.assetId ?? '');
  expect(asset).toMatchObject({ type: 'host', value: hostname().toLowerCase(), zone: 'office', agentId: agent.id });
  expect(asset.software?.count).toBe(software && new Set(software.map((one) => JSON.stringify(one))).size);
  const params = { id: agent.id };
  const listed = await organization.admin.ok('listAgentSoftware', { params, query: { paginateSize: 500 } });
  expect(listed.totalCount).toBe(asset.software?.count ?? 0);
  for (const one of listed.data) expect(software).toContainEqual({ ...one, vendor: one.vendor ?? undefined });
  const { points } = await organization.admin.ok('getAgentResources', { params });
  expect(points).toMatchObject([{ memoryPercent: expect.any(Number), diskPercent: expect.any(Number) }]);
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test('a restarted agent is the same agent, reports at the interval of the service, and ends when it is deleted', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const first = launch('--link-token', await organization.linkToken('agent'));
  const { id } = await onlineAgent(organization);
  first.child.kill('SIGTERM');
  await first.exit;
  await admin.ok('updateAgent', { params: { id }, body: { reportIntervalSeconds: 10 } });
  const { exit, said } = launch();
  const { points } = await until(
    () => admin.ok('getAgentResources', { params: { id } }),
    (history) => history.points.some(({ cpuPercent }) => cpuPercent.avg !== null),
  );
  expect(points.at(-1)).toMatchObject({ rxBytes: expect.any(Number), txBytes: expect.any(Number) });
  expect(await admin.ok('listAgents')).toMatchObject({ totalCount: 1 });
  await admin.ok('deleteAgent', { params: { id } });
  expect(await exit).toEqual([1, null]);
  expect(said.text).toContain('It was removed, or its credential was revoked.');
  const unlinked = launch();
  expect(await unlinked.exit).toEqual([1, null]);
});
