import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startCli } from '../support/cli.ts';

const cli = startCli();
const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

test('the package is one program without dependencies, and runs where it is installed without a network', async () => {
  const built = await run(process.execPath, ['infra/build-cli.ts'], { cwd: root });
  expect(built.stdout).toMatch(/^cli\/dist\/exposure\.cjs: \d+ KB\n$/);
  const [packed, empty] = [join(cli.home, 'packed'), join(cli.home, 'empty')];
  for (const folder of [packed, empty]) mkdirSync(folder);
  const npm = { cwd: empty, env: { PATH: process.env.PATH, HOME: cli.home } };
  await run('npm', ['pack', join(root, 'cli'), '--pack-destination', packed, '--loglevel=error'], npm);
  const [file = ''] = readdirSync(packed);
  expect(file).toMatch(/^exposure-\d+\.\d+\.\d+\.tgz$/);
  const held = await run('tar', ['-tzf', join(packed, file)]);
  expect(held.stdout.trim().split('\n').sort()).toEqual(['package/dist/exposure.cjs', 'package/package.json']);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(packed, file)], npm);
  expect(readdirSync(join(empty, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['exposure']);
  const program = join(empty, 'node_modules/.bin/exposure');
  expect(await cli.run(['--version'], { program })).toEqual({ code: 0, stdout: `${version(file)}\n`, stderr: '' });
  expect(await cli.run(['whoami'], { program })).toMatchObject({ code: 3 });
});

test('a start without a folder for caches, with one, and with one that takes nothing prints the same', async () => {
  const help = await cli.run(['gate', '--help']);
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--fail-on') });
  expect(existsSync(join(cli.home, '.cache'))).toBe(false);
  const [cache, file] = [join(cli.home, 'cache'), join(cli.home, 'file')];
  mkdirSync(cache);
  writeFileSync(file, '');
  for (const folder of [cache, cache, file]) {
    const env = { XDG_CACHE_HOME: folder };
    expect(await cli.run(['gate', '--help'], { env })).toEqual(help);
    expect(await cli.run(['--version'], { env })).toMatchObject({ code: 0, stderr: '' });
  }
  expect(readdirSync(join(cache, 'exposure'))).toHaveLength(1);
});

const version = (file: string): string => /-([\d.]+)\.tgz$/.exec(file)?.[1] ?? '';
