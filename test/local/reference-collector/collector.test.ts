import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { framesOf } from '#local/reference-collector/frames.ts';
import { follow } from '#local/reference-collector/tail.ts';
import { newKeyPair } from '../../support/saml-provider.ts';
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

test('no line is lost or comes twice when a file is renamed or copied and emptied, also while nobody looks', async () => {
  const log = inside('app.log');
  const taken: string[] = [];
  const names = new Set<string>();
  const take = async (lines: string[], name: string) => {
    expect(names).not.toContain(name);
    names.add(name);
    taken.push(...lines);
  };
  const following = () => follow({ file: log, stateDirectory: directory, take });
  const first = following();
  writeFileSync(log, 'one\n');
  await first.look();
  appendFileSync(log, 'two\n');
  // copytruncate of logrotate, between two looks, and then more than there was
  copyFileSync(log, inside('app.log.1'));
  truncateSync(log);
  appendFileSync(log, 'three, which is longer\n');
  await first.look();
  appendFileSync(log, 'four\n');
  await first.close();
  // renamed while the collector is stopped; its last line has no end
  appendFileSync(log, 'five');
  renameSync(log, inside('app.log.1'));
  writeFileSync(log, 'six\n');
  const second = following();
  await second.look();
  await second.look();
  await second.close();
  expect(taken).toEqual(['one', 'two', 'three, which is longer', 'four', 'five', 'six']);
});

test.each([
  ['numbers', (n: number) => `.${4 - n}`],
  ['days', (n: number) => `-2026113${n}`],
])('the files that several rotations named by %s are read one after the other, and no other file', async (_, end) => {
  const log = inside('app.log');
  const taken: string[] = [];
  const following = () =>
    follow({ file: log, stateDirectory: directory, take: async (lines) => void taken.push(...lines) });
  const first = following();
  writeFileSync(inside('app.log.backup'), 'another\n');
  writeFileSync(inside(`app.log${end(0)}`), 'before\n');
  writeFileSync(log, 'one\n');
  await first.look();
  // its writer goes on under the new name until somebody tells it
  renameSync(log, inside(`app.log${end(1)}`));
  writeFileSync(log, 'three\n');
  await first.look();
  appendFileSync(inside(`app.log${end(1)}`), 'two\n');
  await first.look();
  await first.close();
  renameSync(log, inside(`app.log${end(2)}`));
  writeFileSync(inside(`app.log${end(3)}`), 'four\n');
  writeFileSync(log, 'five\n');
  const second = following();
  await second.look();
  await second.look();
  await second.close();
  expect(taken).toEqual(['one', 'two', 'three', 'four', 'five']);
});

/** Compresses a file as gzip does: the file goes once the compressed one is whole. */
function compress(name: string, as: string, pack: (content: Buffer) => Buffer = gzipSync) {
  writeFileSync(inside(as), pack(readFileSync(inside(name))));
  rmSync(inside(name));
}

// each file begins with the same lines, as many a log does
const BANNER = '# the same lines at the beginning of each file of this log\n'.repeat(8);

test.each([
  ['at once', '.gz', true, gzipSync],
  ['later (delaycompress)', '.gz', false, gzipSync],
  ['by zstd', '.zst', true, zstdCompressSync],
])(
  'files that were rotated and compressed %s while the collector was stopped lose no line',
  async (_, end, all, pack) => {
    const log = inside('app.log');
    const taken: string[] = [];
    const take = async (lines: string[]) => void taken.push(...lines.filter((line) => !BANNER.includes(line)));
    const following = () => follow({ file: log, stateDirectory: directory, take });
    const long = Array.from({ length: 40_000 }, (_, n) => `line ${n} of a file that is longer than a batch of one MB`);
    writeFileSync(inside(`app.log.4`), `${BANNER}before\n`);
    compress('app.log.4', `app.log.4${end}`, pack);
    writeFileSync(log, `${BANNER}one\n`);
    const first = following();
    await first.look();
    await first.close();
    appendFileSync(log, `${long.join('\n')}\ntwo`);
    renameSync(log, inside('app.log.3'));
    compress('app.log.3', `app.log.3${end}`, pack);
    writeFileSync(inside('app.log.2'), `${BANNER}three\n`);
    compress('app.log.2', `app.log.2${end}`, pack);
    writeFileSync(inside('app.log.1'), `${BANNER}four\n`);
    if (all) compress('app.log.1', `app.log.1${end}`, pack);
    writeFileSync(log, '');
    const second = following();
    await second.look();
    await second.look();
    appendFileSync(log, `${BANNER}five\n`);
    await second.look();
    // a compressor at work: the file is there until the compressed one is whole
    renameSync(log, inside('app.log.0'));
    writeFileSync(inside(`app.log.0${end}`), pack(readFileSync(inside('app.log.0'))).subarray(0, 9));
    writeFileSync(log, `${BANNER}six\n`);
    for (let looks = 0; looks < 3; looks += 1) await second.look();
    await second.close();
    expect(taken).toEqual(['one', ...long, 'two', 'three', 'four', 'five', 'six']);
  },
);

test('of a damaged compressed file the lines before the damage are read, and then the files behind it', async () => {
  const log = inside('app.log');
  const taken: string[] = [];
  const following = () =>
    follow({ file: log, stateDirectory: directory, take: async (lines) => void taken.push(...lines) });
  const told = vi.spyOn(console, 'error').mockReturnValue();
  writeFileSync(log, 'one\n');
  const first = following();
  await first.look();
  await first.close();
  const whole = gzipSync(`one\ntwo\n${'three '.repeat(100_000)}`, { level: 0 });
  writeFileSync(inside('app.log.1.gz'), whole.subarray(0, 100_000));
  rmSync(log);
  writeFileSync(log, 'four\n');
  const second = following();
  await second.look();
  await second.close();
  expect([taken.slice(0, 2), taken.at(-1)]).toEqual([['one', 'two'], 'four']);
  expect(String(told.mock.calls)).toMatch(/app\.log\.1\.gz is damaged: its lines are read up to there/);
});

test('a stream has a line each or lengths, in any pieces', () => {
  const stream = Buffer.from('<1>a line\n15 <2>with a\nbreak<3>é\n8 <4>later\n<5>end');
  for (const size of [1, 2, 3, 7, 100]) {
    const found: string[] = [];
    const frames = framesOf((message) => found.push(message));
    for (let from = 0; from < stream.length; from += size) frames.add(stream.subarray(from, from + size));
    frames.end();
    expect(found).toEqual(['<1>a line', '<2>with a\nbreak', '<3>é', '<4>later', '<5>end']);
  }
});

test('syslog by TLS arrives', async () => {
  const organization = await system.newOrganization();
  const { certificate, privateKey } = await newKeyPair();
  writeFileSync(inside('cert.pem'), certificate);
  writeFileSync(inside('key.pem'), privateKey);
  const port = await freePort();
  const tls = ['--tls-port', String(port), '--tls-host', '127.0.0.1', '--tls-cert', inside('cert.pem')];
  await launch(organization, ...tls, '--tls-key', inside('key.pem'));
  const message = '<86>1 - web-01 sshd - - - by TLS';
  const withBreak = '<86>1 - web-01 app - - - a trace\nof two lines';
  await eventually(async () => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.end(`${message.length} ${message}${withBreak.length} ${withBreak}`);
    await once(socket, 'close');
  });
  await eventually(async () => {
    const { data } = await organization.admin.ok('searchEvents', { query: {} });
    expect(data.map((event) => event.message)).toEqual(expect.arrayContaining(['by TLS', 'a trace#012of two lines']));
  });
});
