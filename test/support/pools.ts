import { expect } from 'vitest';
import type { Client } from './client.ts';
import type { TestOrganization, TestSystem } from './system.ts';

/** A provider with a pool that only the given clients may use, and a scanner in it. */
export async function newPool(system: TestSystem, clients: readonly TestOrganization[], more: object = {}) {
  const provider = await system.newOrganization();
  const staff = await provider.withRole('platform_owner');
  const organizationIds = clients.map(({ organizationId }) => organizationId);
  const body = { name: 'Frankfurt', region: 'eu', visibility: 'selected' as const, organizationIds, ...more };
  const pool = await staff.ok('createPublicGroup', { body });
  const scanner = await provider.scanner({ group: pool.id });
  return { provider, staff, pool, scanner };
}

/** An approved engagement in a pool, whose tasks wait. @returns its id */
export async function engageInPool(
  { admin }: TestOrganization,
  publicScannerGroupId: string,
  { values = ['192.0.2.10'], more = {} }: { values?: readonly string[]; more?: object } = {},
): Promise<string> {
  const targets = values.map((value) => ({ type: 'host' as const, value }));
  const body = { title: 'Outside', kind: 'vulnerability_scan' as const, targets, taskTypes: ['network' as const] };
  const created = await admin.ok('createEngagement', { body: { ...body, publicScannerGroupId, ...more } });
  const params = { id: created.resource?.id ?? '' };
  await admin.ok('approveEngagement', { params });
  const made = async () => (await admin.ok('getEngagement', { params })).tasks?.pending;
  await expect.poll(made).toBe(values.length);
  return params.id;
}

/** One poll of a scanner. */
export const takeTasks = async ({ client }: { client: Client }, capacity = 10) =>
  (await client.ok('leaseScannerTasks', { body: { capacity } })).tasks;
