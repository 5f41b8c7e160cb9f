import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keyOf, startCli } from '../support/cli.ts';
import { sarifReport } from '../support/sarif.ts';
import { startSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const cli = startCli();
const at = ['--repository', 'https://git.example.com/acme/shop', '--ref', 'main', '--base', 'main'];
const KILLS = 20;
const FINDINGS = 400;
const MB = 1024 * 1024;

/** A report that packs badly, because its texts are random. */
async function writeReport(file: string, bytes: number): Promise<void> {
  const out = createWriteStream(file);
  const { runs } = JSON.parse(sarifReport({ count: FINDINGS }));
  const [{ results, ...run }] = runs;
  const textBytes = Math.ceil(bytes / FINDINGS);
  out.write(`{"version":"2.1.0","runs":[${JSON.stringify(run).slice(0, -1)},"results":[`);
  for (const [n, result] of results.entries()) {
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(49_152))).toString('base64');
    const filler = noise.repeat(Math.ceil(textBytes / noise.length)).slice(0, textBytes);
    const one = { ...result, message: { text: `input ${n}` }, properties: { text: filler } };
    if (!out.write(`${n > 0 ? ',' : ''}${JSON.stringify(one)}`)) await once(out, 'drain');
  }
  out.end(']}]}');
  await once(out, 'close');
}

test('an import that is killed 20 times in the middle loses and doubles nothing', async () => {
  const organization = await system.newOrganization();
  const env = await keyOf(system, organization, ['findings:read', 'findings:write']);
  await writeReport(join(cli.home, 'killed.sarif'), 6 * MB);
  let completed = 0;
  for (let n = 0; n < KILLS; n++) {
    const goesOn = (await begun()).length > 0;
    const child = start(['import', 'killed.sarif', ...at], env);
    const ended = once(child, 'exit');
    // one of four while the report is packed, the others from the first request to the wait for the result
    const isPacking = n % 4 === 0;
    if (!isPacking) await Promise.race([until(begun, (names) => names.length > 0), ended]);
    await Promise.race([sleep(isPacking ? 40 : n * 60), ended]);
    child.kill('SIGKILL');
    const [code] = await ended;
    // a fast machine may be done before, as may be what went on while this process was late: the same command then begins another import
    const isDone = (goesOn || !isPacking) && (await begun()).length === 0;
    if (isDone || code === 0) completed += 1;
  }
  expect(completed).toBeLessThan(KILLS / 2);
  const last = await cli.run(['import', 'killed.sarif', ...at], { env });
  expect(last).toMatchObject({ code: 0, stderr: expect.stringContaining('✓ killed.sarif') });
  const { admin } = organization;
  expect(await admin.ok('listFindings')).toMatchObject({ totalCount: FINDINGS });
  const imports = (await admin.ok('listImports')).data;
  expect(imports.map(({ status }) => status)).toEqual(Array(completed + 1).fill('succeeded'));
  expect(await begun()).toEqual([]);
});

test('a report of 60 MB takes constant memory', async () => {
  const env = await keyOf(system, await system.newOrganization(), ['findings:read', 'findings:write']);
  await writeReport(join(cli.home, 'large.sarif'), 60 * MB);
  const child = spawn(process.execPath, ['-e', MEASURE, cli.bundle, 'import', 'large.sarif', ...at], {
    cwd: cli.home,
    env: { HOME: cli.home, ...env },
  });
  const shown = await text(child.stderr);
  const [, megabytes] = /(\d+) MB/.exec(shown) ?? [];
  expect({ shown, isBounded: Number(megabytes) < 250 }).toEqual({
    shown: expect.stringContaining('✓ large.sarif'),
    isBounded: true,
  });
});

const begun = () => readdir(join(cli.home, '.local/state/exposure/imports')).catch(() => []);

const start = (args: string[], env: NodeJS.ProcessEnv) =>
  spawn(process.execPath, [cli.bundle, ...args], { cwd: cli.home, env: { HOME: cli.home, ...env }, stdio: 'ignore' });

/** Runs the program and prints the most memory that it had. */
const MEASURE = `
process.on('exit', () => console.error(Math.round(process.resourceUsage().maxRSS / 1024) + ' MB'));
require(process.argv[1]);
`;
