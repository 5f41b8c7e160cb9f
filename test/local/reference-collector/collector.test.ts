import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSystem, type TestOrganization } from '../../support/system.ts';
import { eventually } from '../../support/wait.ts';

/** The collector as an operator starts it. */
const system = startSystem();
const command = fileURLToPath(new URL('../../../local/collector.ts', import.meta.url));

let directory: string;
let running: { child: ChildProcess; exit: Promise<unknown[]> } | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'collector-'));
});
afterEach(async () => {
  await kill();
  rmSync(directory, { recursive: true });
});

const inside = (name: string) => join(directory, name);

async function kill(): Promise<void> {
  running?.child.kill('SIGKILL');
  await running?.exit;
}

async function launch(organization: TestOrganization, ...more: string[]) {
  const linkToken = await organization.linkToken('collector');
  const env = { ...process.env, LINK_TOKEN: linkToken };
  const own = [
    '--url',
    system.baseUrl,
    '--state-dir',
    inside('state'),
    '--name',
    'reference',
    '--gather-seconds',
    '0.5',
  ];
  const child = spawn(process.execPath, [command, ...own, ...more], { env, stdio: 'ignore' });
  running = { child, exit: once(child, 'close') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

test('lines of a file arrive once each, also after a kill and a rotation; syslog arrives beside them', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const log = inside('app.log');
  const found = async () =>
    (await admin.ok('searchEvents', { query: { limit: 500 } })).data.map(({ message }) => message).sort();
  const port = await freePort();
  writeFileSync(log, 'line 1\nline 2\nhalf a li');
  await launch(organization, '--files', log, '--syslog-port', String(port));
  await eventually(async () => expect(await found()).toEqual(['line 1', 'line 2']));
  await kill();
  appendFileSync(log, 'ne\nline 4\n');
  await launch(organization, '--files', log, '--syslog-port', String(port));
  await eventually(async () => expect(await found()).toEqual(['half a line', 'line 1', 'line 2', 'line 4']));
  renameSync(log, inside('app.log.1'));
  writeFileSync(log, 'line 5\n');
  const socket = createSocket('udp4');
  await eventually(async () => {
    // UDP is not acknowledged, and the port may not be open yet
    socket.send('<86>Jan  1 10:00:00 web-01 sshd[1]: by syslog', port, '127.0.0.1');
    const { data } = await admin.ok('listSources');
    expect(data.map(({ name }) => name)).toContain('syslog');
    expect(data.find(({ name }) => name === 'syslog')?.status).not.toBe('waiting');
  });
  socket.close();
  await eventually(async () => expect(await found()).toContain('line 5'));
  expect((await found()).filter((message) => message.startsWith('line'))).toHaveLength(4);
  const { data } = await admin.ok('listCollectors');
  expect(data).toMatchObject([{ name: 'reference', status: 'online', softwareVersion: '1.0.0' }]);
});
