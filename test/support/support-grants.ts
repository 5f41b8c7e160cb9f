import type { Client } from './client.ts';
import type { TestOrganization, TestSystem } from './system.ts';

/** A client with which a member of staff acts in an organization, as its administrator. */
export async function enterByGrant(
  system: TestSystem,
  staff: Client,
  { admin, organizationId }: TestOrganization,
): Promise<Client> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await admin.ok('createSupportGrant', { body: { role: 'admin', expiresAt, reason: 'test' } });
  const { accessToken } = await staff.ok('accessOrganization', { params: { id: organizationId }, body: {} });
  return system.client(() => accessToken);
}
