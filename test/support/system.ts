import { inject } from 'vitest';
import { localRegion } from '#local/credentials.ts';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { createApiKey, createLinkToken, createServiceAccount } from '#shared/credentials/issue.ts';
import { joinOrganization } from '#shared/people/join.ts';
import type { User } from '#shared/people/user.ts';
import type { MachineKind, Role, Scope } from '#shared/platform/auth/permissions.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { makeConnections } from '#shared/platform/runtime/connections.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { type Client, type ClientCredential, makeClient } from './client.ts';
import { withShortWay } from './short-way.ts';
import { newAddress, signInDirectly } from './sign-in.ts';
import type { SharedSystem } from './system-process.ts';

type Part = User['roles'][number]['scope'];

/** The running system as a test sees it. */
export type TestSystem = {
  baseUrl: string;
  /** Connections to the engines behind it, to look at effects. */
  connections: Connections;
  client(credential?: ClientCredential): Client;
  newOrganization(): Promise<TestOrganization>;
  /** An organization that the interface made, with an administrator. */
  enter(organizationId: string): Promise<TestOrganization>;
};

export type TestOrganization = {
  organizationId: string;
  table: Table;
  admin: Client;
  /** A service account with this role. */
  withRole(role: Role): Promise<Client>;
  /** A person with this role, who signs in again when the session ends. */
  person(role?: string, scope?: Part): Promise<Client & { id: string }>;
  apiKey(scopes: readonly Scope[]): Promise<Client>;
  linkToken(kind: MachineKind, more?: { zone?: string; group?: string; maxUses?: number }): Promise<string>;
  /** A machine that linked itself. */
  machine(kind: MachineKind, more?: Linking): Promise<TestMachine>;
  scanner(more?: Linking): Promise<TestMachine>;
};

type Linking = { zone?: string; group?: string; taskTypes?: string[]; name?: string };

export type TestMachine = { id: string; clientId: string; clientSecret: string; client: Client };

/** The system that the whole test run shares; make an organization of your own in it. */
export function startSystem(): TestSystem {
  const system = inject('system');
  if ('failure' in system) throw new Error(`the shared system did not start:\n${system.failure}`);
  return runningSystem(system);
}

/** A system in another process. */
export function runningSystem({ baseUrl, settings, keys }: SharedSystem): TestSystem {
  Object.assign(process.env, { AWS_REGION: localRegion }, keys);
  return testSystem(baseUrl, makeConnections(settings));
}

/** The same view of a system that a test started for itself, to break it. */
export function testSystem(baseUrl: string, connections: Connections): TestSystem {
  withShortWay(connections.dynamo);
  const client: TestSystem['client'] = (credential) => makeClient(baseUrl, credential);
  return {
    baseUrl,
    connections,
    client,
    async newOrganization() {
      const organization = await createOrganization(connections, 'Test organization');
      return testOrganization({ connections, client }, organization);
    },
    async enter(organizationId) {
      const table = openTable(connections.dynamo, organizationId);
      const account = await createServiceAccount(table, { name: 'administrator', role: 'admin' });
      return testOrganization({ connections, client }, { ...account, organizationId });
    },
  };
}

type Inside = Pick<TestSystem, 'connections' | 'client'>;
type Account = { clientId: string; clientSecret: string };

function testOrganization(
  { connections, client }: Inside,
  { organizationId, ...administrator }: Account & { organizationId: string },
): TestOrganization {
  const table = openTable(connections.dynamo, organizationId);
  const login = (account: Account) => client(tokenOf(client(), account));
  const organization: TestOrganization = {
    organizationId,
    table,
    admin: login(administrator),
    withRole: async (role) => login(await createServiceAccount(table, { name: role, role })),
    async person(roleId = 'analyst', scope?: Part) {
      const address = { email: newAddress(), name: 'Ana Lima', timeZone: 'UTC', locale: 'en' };
      const joining = { ...address, roles: [{ roleId, ...(scope && { scope }) }], managedBy: 'local' as const };
      const { user, person } = await joinOrganization(table, joining);
      const signIn = () => signInDirectly(connections, client(), person.id);
      return { ...client(kept(signIn)), id: user.id };
    },
    async apiKey(scopes) {
      const { secret } = await createApiKey(table, { name: 'test', scopes: [...scopes], expiresAt: null });
      return client(() => secret);
    },
    async linkToken(kind, { zone, group, maxUses = 1 } = {}) {
      const limits = { maxUses, expiresAt: inSeconds(3_600), zone: zone ?? null, group: group ?? null };
      return (await createLinkToken(table, { kind, ...limits })).linkToken;
    },
    async machine(kind, { zone, group, taskTypes, name = kind } = {}) {
      const linkToken = await organization.linkToken(kind, { zone, group });
      const body = { linkToken, name, instanceId: crypto.randomUUID(), ...(taskTypes && { taskTypes }) };
      const answer = await client().send('POST', linkPaths[kind], { body });
      if (answer.status !== 200) throw new Error(`linking answered ${JSON.stringify(answer.body)}`);
      const linked = answer.body as Omit<TestMachine, 'client'>;
      return { ...linked, client: login(linked) };
    },
    scanner: ({ taskTypes = ['network'], ...more } = {}) => organization.machine('scanner', { taskTypes, ...more }),
  };
  return organization;
}

const linkPaths: Record<MachineKind, string> = {
  scanner: '/api/v1/scanner_communication/link',
  apex: '/api/v1/apex_communication/link',
  agent: '/api/v1/agent/link',
  collector: '/api/v1/collector_communication/link',
  integrator: '/api/v1/integrator_communication/link',
};

/** The access token of an account. */
function tokenOf(client: Client, { clientId, clientSecret }: Account): (ended?: boolean) => Promise<string> {
  const fetchToken = async () => {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answer = await client.send('POST', '/api/v1/oauth/token', { body });
    if (answer.status !== 200) throw new Error(`no access token: ${JSON.stringify(answer.body)}`);
    return (answer.body as { access_token: string }).access_token;
  };
  return kept(fetchToken);
}

/** A token that is fetched at the first call, and again when it was ended. */
function kept(fetchToken: () => Promise<string>): (ended?: boolean) => Promise<string> {
  let token: Promise<string> | undefined;
  return (ended) => {
    token = ended ? fetchToken() : (token ?? fetchToken());
    return token;
  };
}
