import { expect, test } from 'vitest';
import { hasTerminals, keyOf, startCli } from '../support/cli.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();

test('the key of the environment works without a sign-in, and is shown nowhere', async () => {
  const env = await keyOf(system, await system.newOrganization(), ['findings:read']);
  const { code, stdout, stderr } = await cli.run(['whoami', '--json'], { env });
  expect({ code, stderr, shown: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    stderr: '',
    shown: { service: system.baseUrl, name: 'ci', kind: 'api key', scopes: 'findings:read' },
  });
  expect(stdout).not.toContain(env.EXPOSURE_KEY);
});

test.runIf(hasTerminals)('a terminal has colours, and none with NO_COLOR', async () => {
  const env = await keyOf(system, await system.newOrganization(), ['findings:read']);
  const coloured = await cli.inTerminal(['whoami'], { env });
  expect(coloured).toMatchObject({ code: 0, screen: expect.stringContaining('\u001b[2mservice') });
  const plain = await cli.inTerminal(['whoami'], { env: { ...env, NO_COLOR: '1' } });
  expect(plain.screen).not.toContain('\u001b[');
});

test('each end has its exit code and says what to do next', async () => {
  const here = { EXPOSURE_URL: system.baseUrl };
  expect(await cli.run(['whoami'])).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('exposure login'),
  });
  const wrong = await cli.run(['whoami'], { env: { ...here, EXPOSURE_KEY: 'exk_wrong' } });
  expect(wrong).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('EXPOSURE_KEY') });
  expect(wrong.stderr).not.toContain('exk_wrong');
  expect(await cli.run(['whoami', '--nonsense'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--nonsense'),
  });
  const nobody = { EXPOSURE_URL: 'http://127.0.0.1:9', EXPOSURE_KEY: 'exk_x', EXPOSURE_RETRY_SECONDS: '0' };
  expect(await cli.run(['whoami'], { env: nobody })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('cannot be reached'),
  });
  const open = { EXPOSURE_URL: 'http://exposure.example', EXPOSURE_KEY: 'exk_x' };
  expect(await cli.run(['whoami'], { env: open })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('https://'),
  });
});
