import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { rotateSigningKey } from '#shared/platform/auth/key-rotation.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { readSettings } from '#shared/platform/runtime/env.ts';
import type { Secrets } from '#shared/platform/runtime/secrets.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { injectFaults } from './faults.ts';
import { type Store, startStore } from './store.ts';

/** The needs of authentication in a deployment: a table of its own, a signing key, an organization. */
export type Deployment = {
  store: Store;
  connections: Connections;
  organization: Awaited<ReturnType<typeof createOrganization>>;
  table: ReturnType<typeof openTable>;
  /** The same deployment as another process sees it, with empty caches and a count of its requests. */
  process(): { connections: Connections; requests: () => number };
};

export async function startDeployment(issuer = 'urn:test:one'): Promise<Deployment> {
  const store = await startStore();
  const secrets = secretsInMemory();
  const settings = readSettings({
    TABLE_NAME: store.dynamo.tableName,
    BUCKET_NAME: 'none',
    QUEUE_URL_PREFIX: 'http://127.0.0.1:9/',
    TOKEN_ISSUER: issuer,
    SIGNING_SECRET: 'signing-key',
    SEALING_SECRET: 'sealing-key',
    BILLING_SECRET: 'billing-secret',
    CHALLENGE_SECRET: 'challenge-secret',
    BASE_URL: 'http://localhost',
  });
  const open = (dynamo: Dynamo) => ({ settings, secrets, dynamo }) as Connections;
  const connections = open(store.dynamo);
  await rotateSigningKey(connections);
  const organization = await createOrganization(connections, 'Test');
  return {
    store,
    connections,
    organization,
    table: openTable(store.dynamo, organization.organizationId),
    process() {
      const dynamo = store.connect();
      let requests = 0;
      injectFaults(dynamo, { random: () => 1, before: () => void requests++ });
      return { connections: open(dynamo), requests: () => requests };
    },
  };
}

export function secretsInMemory(): Secrets {
  const kept = new Map<string, string>();
  return {
    async get(name) {
      const value = kept.get(name);
      if (value === undefined) throw new Error(`no secret ${name}`);
      return value;
    },
    async put(name, value) {
      kept.set(name, value);
    },
  };
}
