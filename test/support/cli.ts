import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import type { Scope } from '#shared/platform/auth/permissions.ts';
import type { TestOrganization, TestSystem } from './system.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundle = join(root, 'cli/dist/exposure.cjs');

type Env = Record<string, string | undefined>;
type Asked = { env?: Env; input?: string | Uint8Array; cwd?: string; program?: string; signal?: AbortSignal };
type Outcome = { code: number | null; stdout: string; stderr: string };
/** The built client, as a user in an empty home has it. */
type Cli = {
  home: string;
  /** The file of the program. */
  bundle: string;
  /** In a pipe. */
  run(args: string[], asked?: Asked): Promise<Outcome>;
  /** In a pseudo-terminal of this width: what its screen shows, with colours as the escape sequences that they are. */
  inTerminal(args: string[], asked?: InTerminal): Promise<{ code: number | null; screen: string }>;
};
/** A person types each answer once the screen shows its question. */
type InTerminal = { env?: Env; cwd?: string; columns?: number; answers?: [question: string, typed: string][] };

/** Builds the client before the tests of a file, and gives it a home that the file has alone. */
export function startCli(): Cli {
  const home = mkdtempSync(join(tmpdir(), 'exposure-cli-'));
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['infra/build-cli.ts'], { cwd: root });
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const envOf = (env: Env = {}): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: home,
    TERM: 'xterm-256color',
    ...env,
  });
  return {
    home,
    bundle,
    run: (args, { env, input = '', cwd = home, program = bundle, signal } = {}) =>
      outcomeOf(spawn(process.execPath, [program, ...args], { env: envOf(env), cwd, signal }), input),
    async inTerminal(args, { env, cwd = home, columns = 100, answers = [] } = {}) {
      const words = [process.execPath, bundle, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
      const command = `stty cols ${columns} rows 40 -echo; ${words.join(' ')}`;
      const child = spawn('script', ['-qec', command, '/dev/null'], { env: envOf(env), cwd });
      const waiting = [...answers];
      let screen = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        screen += text;
        const [next] = waiting;
        if (!next || !screen.includes(next[0])) return;
        waiting.shift();
        child.stdin.write(next[1]);
      });
      const code = await new Promise<number | null>((done) => child.once('close', done));
      return { code, screen: screen.replaceAll('\r\n', '\n') };
    },
  };
}

/** Whether this machine has a program that opens pseudo-terminals; Node alone opens none. */
export const hasTerminals = (() => {
  try {
    return execFileSync('script', ['-qec', 'echo yes', '/dev/null'], { encoding: 'utf8' }).includes('yes');
  } catch {
    console.warn('The tests in a terminal are left out: the program script (util-linux) is missing.');
    return false;
  }
})();

/** A key of an organization, as the environment of a CI job has it. */
export async function keyOf(system: TestSystem, { admin }: TestOrganization, scopes: Scope[]): Promise<Env> {
  const { secret } = await admin.ok('createApiKey', { body: { name: 'ci', scopes } });
  return { EXPOSURE_URL: system.baseUrl, EXPOSURE_KEY: secret };
}

function outcomeOf(child: ReturnType<typeof spawn>, input: string | Uint8Array): Promise<Outcome> {
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8');
    child[name]?.on('data', (text: string) => {
      outcome[name] += text;
    });
  }
  child.stdin?.on('error', () => undefined); // the program may end before it reads all
  child.stdin?.end(input);
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done({ ...outcome, code }));
  });
}
