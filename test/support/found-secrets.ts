import { expect } from 'vitest';
import { startSystem, type TestOrganization } from './system.ts';
import { follow } from './vulnerabilities.ts';
import { finished } from './wait.ts';

/** For a file of tests about exposed credentials: its system, and the reports by which organizations of it get some. */
export const system = startSystem();

export const [SHOP, TILL] = ['https://git.example.test/acme/shop', 'https://git.example.test/acme/till'];
export const KEY = 'k3y-EXAMPLE-0011223344556677';
export const OTHER = 'pw-EXAMPLE-zzyyxxwwvvuu';

type Report = { content: string; repository?: string; ref?: string };

export async function send({ admin, table }: TestOrganization, { repository = SHOP, ...report }: Report) {
  const body = { format: 'auto' as const, repository, ...report };
  const { taskId } = await admin.ok('importFindings', { body });
  expect(await finished(admin, taskId)).toMatchObject({ status: 'succeeded' });
  await follow({ connections: system.connections, table });
}

export const listed = async ({ admin }: TestOrganization, query: object = {}) =>
  (await admin.ok('listExposedCredentials', { query })).data;

export const statuses = async ({ admin }: TestOrganization) =>
  (await admin.ok('listFindings', {})).data.map(({ status }) => status).sort();
