import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { apiDocument } from '#infra/openapi/document.ts';
import { startSystem } from '../../support/system.ts';

/**
 * Generators of other languages write a client from the document, and a program of an integrator uses the client. The service needs
 * none of these languages: without Python, Java, Go or their packages, a test is skipped and says what is missing.
 */
const system = startSystem();
const PACKAGES = ['openapi-generator-cli==7.26.0', 'openapi-python-client==0.29.1', 'pydantic==2.14.4'];
/** Installed once. */
const environment = resolve('node_modules/.cache/generators');
const bin = join(environment, 'bin');
const work = mkdtempSync(join(tmpdir(), 'generators-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const document = join(work, 'openapi.json');
const report = resolve('events/import-sarif.json');

type Outcome = { code: number | null; text: string };

/** Runs a program. @returns its exit code, 127 where the program is missing, and its output */
function run(program: string, args: readonly string[], { cwd = work, env = {} } = {}): Promise<Outcome> {
  const path = `${bin}${delimiter}${process.env.PATH}`;
  const child = spawn(program, args, { cwd, env: { ...process.env, PATH: path, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return new Promise((done) => {
    child.once('error', (error) => done({ code: 127, text: error.message }));
    child.once('close', (code) => done({ code, text }));
  });
}

const works = async (program: string, ...args: string[]): Promise<boolean> => (await run(program, args)).code === 0;

let hasPackages = false;
beforeAll(async () => {
  writeFileSync(document, JSON.stringify(apiDocument(areas)));
  const wanted = join(environment, PACKAGES.join('+'));
  if (!existsSync(wanted)) {
    if (!(await works('python3', '-m', 'venv', environment))) return;
    if (!(await works(join(bin, 'pip'), 'install', '--quiet', ...PACKAGES, 'python-dateutil', 'urllib3'))) return;
    mkdirSync(wanted);
  }
  hasPackages = true;
});

async function needs({ skip }: TestContext, ...tools: ('java' | 'go')[]): Promise<void> {
  if (!hasPackages) skip(`needs python3 with pip and venv, and ${PACKAGES.join(', ')}`);
  if (tools.includes('java') && !(await works('java', '-version'))) skip('needs Java');
  if (tools.includes('go') && !(await works('go', 'version'))) skip('needs Go');
}

async function caller(): Promise<string[]> {
  const { admin } = await system.newOrganization();
  const { clientId, clientSecret } = await admin.ok('createServiceAccount', { body: { name: 'tour', role: 'admin' } });
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret ?? '',
  });
  const answer = await fetch(`${system.baseUrl}/api/v1/oauth/token`, { method: 'POST', body: form });
  return [system.baseUrl, Object(await answer.json()).access_token, report];
}

const FAULT = /^(?:Exception in|\[main\] ERROR).*$/m;
const TOURED = { code: 0, text: '5 findings, 3 of them severe\nin_progress tour\n' };
const program = (name: string): string => resolve('test/generated-client', name);

/** Only the code of a client. */
const CODE =
  '--global-property=apis,models,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false';
const generate = (language: string, ...more: string[]) =>
  run('openapi-generator-cli', ['generate', '-i', document, '-g', language, '-o', join(work, language), CODE, ...more]);

describe('a client of the document imports a report, lists findings and triages one', () => {
  test('by openapi-python-client, which drops no model and no operation', async (context) => {
    await needs(context);
    const made = await run('openapi-python-client', [
      ...['generate', '--path', document, '--output-path', join(work, 'exposure_client'), '--meta', 'none'],
    ]);
    const left = made.text
      .split('\n')
      .filter((line) => /^(?:Unable|Cannot|Could not|Attempted|Unsupported)/.test(line));
    // It sends files as application/octet-stream, which the operations take too.
    expect(left.filter((line) => !/^Unsupported content type (?:application\/xml|text\/csv)$/.test(line))).toEqual([]);
    const env = { PYTHONPATH: work };
    const tour = program('python/openapi_python_client_tour.py');
    expect(await run(join(bin, 'python'), [tour, ...(await caller())], { env })).toEqual(TOURED);
  });

  test('by openapi-generator for Python', async (context) => {
    await needs(context, 'java');
    const { code, text } = await generate('python');
    expect([code, text.match(FAULT)]).toEqual([0, null]);
    const env = { PYTHONPATH: join(work, 'python') };
    const tour = program('python/openapi_generator_tour.py');
    expect(await run(join(bin, 'python'), [tour, ...(await caller())], { env })).toEqual(TOURED);
  });

  test('by openapi-generator for Go, whose compiler reads each type', async (context) => {
    await needs(context, 'java', 'go');
    const options = ['packageName=exposure', 'withGoMod=true', 'useOneOfDiscriminatorLookup=true'];
    const place = ['--git-host', 'example.com', '--git-user-id', 'acme', '--git-repo-id', 'exposure'];
    const made = await generate('go', ...place, `--additional-properties=${options.join(',')}`);
    expect([made.code, made.text.match(FAULT)]).toEqual([0, null]);
    const cwd = join(work, 'go');
    cpSync(program('go'), join(cwd, 'tour'), { recursive: true });
    const { code, text } = await run('go', ['mod', 'tidy'], { cwd });
    if (code !== 0) context.skip(`needs the modules of the client: ${text}`);
    // thousands of types, compiled for one call of few of them: without optimization that takes a fraction of the time
    const quick = ['-gcflags=example.com/acme/exposure=-N -l', '-ldflags=-s -w'];
    const build = ['build', ...quick, '-o', join(work, 'tour'), './tour'];
    expect(await run('go', build, { cwd })).toEqual({ code: 0, text: '' });
    expect(await run(join(work, 'tour'), await caller())).toEqual(TOURED);
  });
});
