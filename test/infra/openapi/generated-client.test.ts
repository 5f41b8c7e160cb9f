import { spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { writeClientTypes } from '#infra/openapi/client-types.ts';
import { startSystem } from '../../support/system.ts';

const system = startSystem();

const run = promisify(
  (command: string[], done: (error: null, outcome: { code: number | null; text: string }) => void) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => done(null, { code, text }));
  },
);

beforeAll(writeClientTypes);

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
