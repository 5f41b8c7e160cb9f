import { expect } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { makeClient, type RawAnswer } from './client.ts';
import { newAddress } from './sign-in.ts';
import type { TestOrganization, TestSystem } from './system.ts';

type Answer = { status: number; body: Record<string, unknown>; headers: Headers };
export type Directory = (method: string, path: string, body?: object) => Promise<Answer>;

const asScim = ({ status, body, headers }: RawAnswer): Answer => ({
  status,
  body: body === '' ? {} : Object(body),
  headers,
});
const MEDIA = { 'content-type': 'application/scim+json; charset=utf-8' };

/** A directory whose token is the client id and the secret of a service account. */
export async function directoryOf(
  { baseUrl }: Pick<TestSystem, 'baseUrl'>,
  { table }: TestOrganization,
): Promise<Directory> {
  const account = await createServiceAccount(table, { name: 'directory', role: 'admin' });
  const client = makeClient(baseUrl, () => `${account.clientId}.${account.clientSecret}`);
  return async (method, path, body) =>
    asScim(await client.send(method, `/scim/v2${path}`, body === undefined ? {} : { body, headers: MEDIA }));
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const patchOf = (...Operations: object[]) => ({ schemas: [PATCH], Operations });
export const refused = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail: expect.any(String),
  },
});

export const entraUser = (email: string) => ({
  schemas: [USER, ENTERPRISE],
  externalId: newId(),
  userName: email,
  active: true,
  addresses: [{ primary: false, type: 'work', country: 'Germany', formatted: null }],
  displayName: 'Test User',
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Test User', familyName: 'User', givenName: 'Test' },
  roles: [],
  [ENTERPRISE]: { department: 'IT', manager: { value: '' } },
});

export const oktaUser = (email: string) => ({
  schemas: [USER],
  userName: email,
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: `00u${newId().slice(-12)}`,
  groups: [],
  password: '1mz050nq',
  active: true,
});

/** A user whom a directory has added. */
export async function added(of: Directory, email = newAddress()) {
  const { status, body } = await of('POST', '/Users', entraUser(email));
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: String(body.id), email };
}

/** The query of a filter. */
export const query = (filter: string) => `?filter=${encodeURIComponent(filter)}`;
