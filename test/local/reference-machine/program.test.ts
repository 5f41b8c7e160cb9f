import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'machine-'));
afterAll(() => rmSync(directory, { recursive: true }));

const start = (program: string, ...more: string[]) => startIn({}, program, ...more);

function startIn(
  env: Record<string, string>,
  program: string,
  ...more: string[]
): Promise<{ code: unknown; said: string }> {
  const file = fileURLToPath(new URL(`../../../local/${program}.ts`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...more], { env: { ...process.env, ...env } }, (error, _, said) =>
      resolve({ code: error?.code ?? 0, said }),
    );
  });
}

const url = ['--url', 'http://127.0.0.1:1'];
/** A tool that each machine has: without one a scanner does not begin. */
const tools = join(directory, 'tools.json');
const tool = { taskType: 'network', name: 'any', command: process.execPath, arguments: [], format: 'nmap' };
writeFileSync(tools, JSON.stringify([tool]));
const needs: Record<string, string[]> = { scanner: ['--tools', tools] };
const wrong: [string, string, string[]][] = [
  ['scanner', 'no address', []],
  ['apex', 'no address', []],
  ['agent', 'no address', []],
  ['integrator', 'no address', []],
  ['scanner', 'a capacity beyond its own', [...url, '--capacity', '51']],
  ['apex', 'a capacity beyond its own', [...url, '--capacity', '16']],
  ['apex', 'a capacity that is no number', [...url, '--capacity', 'many']],
  ['agent', 'an option of another program', [...url, '--capacity', '2']],
];

test.each(wrong)('the %s that is given %s says how it is called and does nothing', async (program, _, options) => {
  const { code, said } = await start(program, '--state-dir', directory, ...options);
  expect(code).toBe(64);
  expect(said).toContain(`usage: npm run ${program} -- --url URL [--link-token-file FILE] [--link-token TOKEN]`);
});

test.each(['scanner', 'apex', 'agent', 'integrator'])(
  'the %s that is not linked and has no token asks for one',
  async (program) => {
    const { code, said } = await start(
      program,
      '--state-dir',
      join(directory, program),
      ...url,
      ...(needs[program] ?? []),
    );
    expect(code).toBe(1);
    expect(said).toMatch(/is not linked yet: start it with --link-token/);
  },
);

test('a link token in a file or in the environment is used, so that no other user of the host sees it', async () => {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    const [body] = await request.toArray();
    sent.push(JSON.parse(body).linkToken);
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"invalid_link_token","message":"no"}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const file = join(directory, 'token');
  writeFileSync(file, 'exl_file\n', { mode: 0o600 });
  const options = ['--url', `http://127.0.0.1:${port}`, '--state-dir', join(directory, 'fresh')];
  await start('agent', ...options, '--link-token-file', file);
  await startIn({ LINK_TOKEN: 'exl_environment' }, 'scanner', ...options, '--tools', tools);
  expect(sent).toEqual(['exl_file', 'exl_environment']);
});
