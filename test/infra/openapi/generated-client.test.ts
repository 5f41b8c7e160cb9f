import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { areas } from '#functions/contract.ts';
import { apiDocument } from '#infra/openapi/document.ts';
import { startSystem } from '../../support/system.ts';

const system = startSystem();

/** The generator builds its types with the interface of TypeScript 5, which later releases lack. */
async function generateTypes(): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
  });
  const { default: generate, astToString } = await import('openapi-typescript');
  hooks.deregister();
  const document = JSON.parse(JSON.stringify(apiDocument(areas)));
  // A default of a request is no promise of the caller: the field may be left out.
  return astToString(await generate(document, { defaultNonNullable: false }));
}

const run = promisify(
  (command: string[], done: (error: null, outcome: { code: number | null; text: string }) => void) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => done(null, { code, text }));
  },
);

beforeAll(async () => {
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/openapi.d.ts', await generateTypes());
});

test('an integrator who generates a client from the document compiles a program without casts', async () => {
  const compiled = await run(['node_modules/.bin/tsc', '-p', 'test/generated-client']);
  expect(compiled).toEqual({ code: 0, text: '' });
});

test('the program of the generated client does what its types say', async () => {
  const { admin } = await system.newOrganization();
  const { clientId, clientSecret } = await admin.ok('createServiceAccount', { body: { name: 'tour', role: 'admin' } });
  const account = [system.baseUrl, clientId, clientSecret ?? ''];
  const tour = await run([process.execPath, 'test/generated-client/tour.ts', ...account]);
  expect(tour).toEqual({
    code: 0,
    text: `5 findings, 3 of them severe
due 2031-05-01, then as the policy says
group by ROUND_ROBIN, zone null
asset repository: high
0 tasks, again after a while
`,
  });
});
