import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTerminals, keyOf, startCli } from '../support/cli.ts';
import type { Client } from '../support/client.ts';
import { codeFor } from '../support/people.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
const profiles = (home: string) => join(home, '.config/exposure/profiles.json');
const at = ['--url', system.baseUrl];

/** Starts a sign-in and decides on its code as soon as the program shows the code. */
async function signIn(decide: (userCode: string) => Promise<unknown>, args: string[] = []) {
  const child = spawn(process.execPath, [cli.bundle, 'login', ...at, ...args], { env: { HOME: cli.home } });
  let shown = '';
  for await (const chunk of child.stderr) {
    const before = shown;
    shown += chunk;
    const [, code] = /Enter +(\S{4}-\S{4})/.exec(shown) ?? [];
    if (code && !before.includes(code)) await decide(code);
  }
  return { code: child.exitCode ?? (await new Promise((done) => child.once('exit', done))), shown };
}

const approved = async (person: Client, userCode: string) =>
  person.ok('approveDeviceCode', { body: { userCode, code: await codeFor(system, person, userCode) } });

test('a person signs in with a code, works in several processes at once after a while, and signs out', async () => {
  const organization = await system.newOrganization();
  const person = await organization.person();
  const { code, shown } = await signIn((userCode) => approved(person, userCode));
  expect({ code, shown }).toMatchObject({
    code: 0,
    shown: expect.stringContaining(`Signed in to ${system.baseUrl} as Ana Lima`),
  });
  const file = profiles(cli.home);
  expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);

  // a refresh token that is used twice would end the session
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/"expiresAt": "[^"]+"/, '"expiresAt": "2020-01-01T00:00:00.000Z"'),
  );
  const outcomes = await Promise.all([1, 2, 3].map(() => cli.run(['whoami', '--json'])));
  for (const { code, stdout } of outcomes)
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, name: 'Ana Lima' });

  const devices = async () => (await person.ok('listMySessions')).data.map(({ device }) => device);
  expect(await devices()).toContainEqual(expect.stringContaining('exposure on '));
  expect(await cli.run(['logout'])).toMatchObject({ code: 0, stderr: expect.stringContaining('Signed out') });
  expect(await devices()).not.toContainEqual(expect.stringContaining('exposure on '));
  expect(await cli.run(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('exposure login') });
});

test('a person who refuses signs nobody in', async () => {
  const person = await (await system.newOrganization()).person();
  const refused = await signIn(
    (userCode) => person.ok('refuseDeviceCode', { body: { userCode } }),
    ['--profile', 'no'],
  );
  expect(refused).toMatchObject({ code: 3, shown: expect.stringContaining('refused in the browser') });
});

test('a key comes from standard input or a file, is in no answer, and a wrong key is not kept', async () => {
  const { EXPOSURE_KEY: key = '' } = await keyOf(system, await system.newOrganization(), ['findings:read']);
  const typed = await cli.run(['login', ...at, '--profile', 'ci', '--with-key'], { input: `${key}\n` });
  expect(typed).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('as ci (api key)') });
  expect(typed.stderr).not.toContain(key);
  writeFileSync(join(cli.home, 'key.txt'), key);
  expect(await cli.run(['login', ...at, '--profile', 'file', '--key-file', 'key.txt'])).toMatchObject({ code: 0 });
  expect(await cli.run(['whoami', '--profile', 'ci'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('ci'),
  });
  expect(await cli.run(['login', ...at, '--profile', 'wrong', '--with-key'], { input: 'exk_wrong' })).toMatchObject({
    code: 3,
  });
  expect(readFileSync(profiles(cli.home), 'utf8')).not.toContain('exk_wrong');
  expect(await cli.run(['login', ...at, '--with-key'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('empty'),
  });
});

test('a credential goes to no other service than its own', async () => {
  const { EXPOSURE_KEY: key = '' } = await keyOf(system, await system.newOrganization(), ['findings:read']);
  await cli.run(['login', ...at, '--profile', 'own', '--with-key'], { input: key });
  const elsewhere = await cli.run(['whoami', '--profile', 'own', '--url', 'https://elsewhere.example']);
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('goes nowhere else') });
});

test.runIf(hasTerminals)('a terminal is asked for the address that is missing', async () => {
  const { EXPOSURE_KEY: key = '' } = await keyOf(system, await system.newOrganization(), ['findings:read']);
  writeFileSync(join(cli.home, 'typed.txt'), key);
  const args = ['login', '--profile', 'typed', '--key-file', 'typed.txt'];
  const { code, screen } = await cli.inTerminal(args, { answers: [['Address of the service', `${system.baseUrl}\r`]] });
  expect({ code, screen }).toMatchObject({ code: 0, screen: expect.stringContaining('Signed in to') });
});

test.runIf(hasTerminals)('a terminal is asked for a key, and shows none of it', async () => {
  const { EXPOSURE_KEY: key = '' } = await keyOf(system, await system.newOrganization(), ['findings:read']);
  const args = ['login', ...at, '--profile', 'pasted', '--with-key'];
  const { code, screen } = await cli.inTerminal(args, { answers: [['API key', `${key}\r`]] });
  expect({ code, screen }).toMatchObject({ code: 0, screen: expect.stringContaining('as ci (api key)') });
  expect(screen).not.toContain(key);
});
