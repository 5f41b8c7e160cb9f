import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkMachine } from '#functions/scanning/link/link-machine.ts';
import { scannerOf } from '#functions/scanning/link/machines.ts';
import { createLinkToken } from '#shared/credentials/issue.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { opens, readCredential, rotateSecret } from '#shared/platform/auth/credential.ts';
import { parseClientId, parseClientSecret } from '#shared/platform/auth/token-format.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { knownVersions } from '#shared/scanning/scanners/versions.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';
import { injectFaults } from '../../../support/faults.ts';

const cause = { operation: 'linkScanner' };

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment();
});
afterAll(() => deployment.store.stop());

const newToken = (maxUses: number) =>
  createLinkToken(deployment.table, { kind: 'scanner', maxUses, expiresAt: inSeconds(60), zone: null, group: null });
const paging = { paginateFrom: 0, paginateSize: 50 };
const scannerCount = async () => (await deployment.table.list(scanners, paging)).totalCount;

/** A connection on which writes meet conflicts and lose their answers after they were done. */
function shakyPorts(seed: number) {
  const { connections } = deployment.process();
  let state = seed + 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  injectFaults(connections.dynamo, { random, conflict: 0.3, lost: 0.3 });
  return connections;
}

const linking = { remoteAddress: '192.0.2.1', versions: knownVersions({}) };

test('conflicts and lost answers of the database cost no use of a link token and make no second scanner', async () => {
  const before = await scannerCount();
  const { id, linkToken } = await newToken(8);
  const linked = await Promise.all(
    Array.from({ length: 8 }, (_, seed) => {
      const body = { linkToken, name: 'north', instanceId: crypto.randomUUID() };
      return linkMachine({ connections: shakyPorts(seed), cause }, body, scannerOf(body as never, linking));
    }),
  );
  expect(await scannerCount()).toBe(before + 8);
  expect(await deployment.table.get(linkTokens, id)).toMatchObject({ uses: 8, status: 'used_up' });
  for (const { clientId, clientSecret } of linked) {
    const where = parseClientId(clientId) ?? expect.fail('no client id');
    const credential = await readCredential(deployment.store.dynamo, where);
    expect(credential && opens(credential, parseClientSecret(clientSecret) ?? '')).toBe(true);
  }
});

test('a database that keeps failing costs no use of a link token and makes no scanner', async () => {
  const before = await scannerCount();
  const { id, linkToken } = await newToken(1);
  const { connections } = deployment.process();
  injectFaults(connections.dynamo, {
    random: () => 1,
    before: (command) => {
      if (command.startsWith('Transact')) throw new Error('injected outage');
    },
  });
  const body = { linkToken, name: 'north', instanceId: crypto.randomUUID() };
  await expect(linkMachine({ connections, cause }, body, scannerOf(body as never, linking))).rejects.toThrow(
    'injected outage',
  );
  expect(await scannerCount()).toBe(before);
  expect(await deployment.table.get(linkTokens, id)).toMatchObject({ uses: 0, status: 'active' });
});

test('a secret that is rotated after a leak keeps nobody linked, not even who links at that moment', async () => {
  const { linkToken } = await newToken(5);
  const body = { linkToken, name: 'north' };
  const machine = await linkMachine(
    { connections: deployment.connections, cause },
    body,
    scannerOf(body as never, linking),
  );
  const { connections } = deployment.process();
  const { organizationId } = deployment.table;
  let rotated: string | undefined;
  connections.dynamo.client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (String(commandName).startsWith('Transact'))
          rotated ??= await rotateSecret(
            deployment.store.dynamo,
            { organizationId, id: machine.id },
            { overlapSeconds: 0 },
          );
        return next(args);
      },
    { step: 'initialize' },
  );
  const { clientId, clientSecret } = machine;
  const claim = { ...body, clientId, clientSecret };
  const thief = await linkMachine({ connections, cause }, claim, scannerOf(claim as never, linking));
  expect(thief.id).not.toBe(machine.id);
  const credential = await readCredential(deployment.store.dynamo, { organizationId, id: machine.id });
  expect(credential && opens(credential, rotated ?? '')).toBe(true);
});

test('a scanner that links with an old version is known as outdated before it polls, and upgraded when it links again', async () => {
  const { linkToken } = await newToken(1);
  const { connections } = deployment.process();
  const instanceId = crypto.randomUUID();
  const versions = knownVersions({ SCANNER_RECOMMENDED_VERSION: '2.4.0' });
  let clientSecret: string | undefined;
  const statusAt = async (version: string) => {
    const body = { linkToken, name: 'north', instanceId, version, clientSecret };
    const linked = await linkMachine({ connections, cause }, body, scannerOf(body as never, { ...linking, versions }));
    clientSecret = linked.clientSecret;
    return (await deployment.table.get(scanners, linked.id)).versionStatus;
  };
  expect([await statusAt('2.3'), await statusAt('2.4')]).toEqual(['outdated', 'current']);
});
