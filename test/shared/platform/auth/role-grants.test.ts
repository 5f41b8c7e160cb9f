import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { roles } from '#shared/credentials/role.ts';
import { authenticate } from '#shared/platform/auth/authenticate.ts';
import type { Level, RoleArea } from '#shared/platform/auth/levels.ts';
import { levelIn } from '#shared/platform/auth/permissions.ts';
import { putGrants, removeGrants } from '#shared/platform/auth/role-grants.ts';
import { signAccessToken } from '#shared/platform/auth/signing.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';

/** A custom role opens at each request what it names, within a minute of a change, and costs a warm request nothing. */
let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment('urn:test:roles');
});
afterEach(() => setClock());
afterAll(() => deployment.store.stop());

const later = (seconds: number) => {
  const from = nowMs();
  setClock(() => from + seconds * 1000);
};

async function newHolder(areas: Partial<Record<RoleArea, Exclude<Level, 'own'>>>) {
  const { table, connections, organization } = deployment;
  const draft = { name: crypto.randomUUID(), description: null, basedOn: 'viewer', areas } as const;
  const role = await table.create(roles, draft, (batch, made) => batch.write(putGrants(table, made)));
  const { id, name } = await createServiceAccount(table, { name: 'Ann', role: role.id });
  const claims = { sub: id, org: organization.organizationId, name, kind: 'service_account', role: role.id } as const;
  return { role, header: `Bearer ${await signAccessToken(connections, claims)}` };
}

async function levelOf(connections: Connections, header: string, area: RoleArea) {
  const caller = await authenticate(connections, header);
  return 'role' in caller ? levelIn(caller, area) : expect.fail();
}

test('a warm request reads nothing for the role of its caller', async () => {
  const { connections, requests } = deployment.process();
  const { header } = await newHolder({ findings: 'write' });
  expect(await levelOf(connections, header, 'findings')).toBe('write');
  expect(await levelOf(connections, header, 'soc')).toBe('read');
  const before = requests();
  for (let n = 0; n < 20; n++) await authenticate(connections, header);
  expect(requests()).toBe(before);
});

test('a changed role holds within a minute for those who have it, and a role that is gone opens nothing', async () => {
  const { table } = deployment;
  const { connections } = deployment.process();
  const { role, header } = await newHolder({ findings: 'write' });
  expect(await levelOf(connections, header, 'findings')).toBe('write');
  const batch = table.batch();
  batch.write(putGrants(table, { ...role, areas: { findings: 'none' } }));
  await batch.commit();
  later(61);
  expect(await levelOf(connections, header, 'findings')).toBe('none');
  const removal = table.batch();
  removal.write(removeGrants(table, role.id));
  await removal.commit();
  later(61);
  expect(await levelOf(connections, header, 'soc')).toBe('none');
});
