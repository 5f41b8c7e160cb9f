import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Mistake } from '#local/mistake.ts';
import { repositoryRoot } from './repository.ts';

/** Machines by their numbers in the header of a program (ELF, `e_machine`). */
const MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' };
/** Node looks here for the program that it holds: https://nodejs.org/api/single-executable-applications.html */
const PLACE = 'NODE_SEA_BLOB';
const SENTINEL = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const INJECTOR = join(repositoryRoot, 'node_modules/postject/dist/cli.js');
const run = (args: string[]) => promisify(execFile)(process.execPath, args);

/**
 * Puts a bundle into a copy of Node. The program is beside the bundle, with the name of its machine.
 * @throws Mistake for a file that is no Node for Linux of this release: another one cannot read what this one prepares
 */
export async function buildExecutable(bundle: string, node: string): Promise<{ name: string; bytes: number }> {
  const machine = machineOf(await readFile(node).catch(() => Buffer.alloc(0)));
  if (!machine) throw new Mistake(`${node} is no Node ${process.versions.node} for Linux (x64 or arm64).`);
  const folder = await mkdtemp(join(tmpdir(), 'exposure-executable-'));
  try {
    const [blob, config, program] = [join(folder, 'blob'), join(folder, 'config.json'), join(folder, 'program')];
    await writeFile(config, JSON.stringify({ main: bundle, output: blob, disableExperimentalSEAWarning: true }));
    await run(['--experimental-sea-config', config]);
    await copyFile(node, program);
    await run([INJECTOR, program, PLACE, blob, '--sentinel-fuse', SENTINEL]);
    const name = `exposure-linux-${machine}`;
    const next = join(dirname(bundle), `${name}.${process.pid}`);
    await copyFile(program, next);
    await chmod(next, 0o755);
    await rename(next, join(dirname(bundle), name));
    return { name, bytes: (await stat(program)).size };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The machine of a Node of this release. */
function machineOf(program: Buffer): string | undefined {
  const isElf = program.subarray(0, 4).equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46]));
  const isSame = program.includes(`node-${process.version}-headers`);
  return isElf && isSame ? MACHINES[program.readUInt16LE(18)] : undefined;
}
