import { parseArgs } from 'node:util';
import * as z from 'zod';
import { Mistake } from '#local/mistake.ts';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { giveSubscriptions } from '#shared/notifications/defaults.ts';
import { ensureSigningKey } from '#shared/platform/auth/key-rotation.ts';
import { ROLES } from '#shared/platform/auth/permissions.ts';
import { ensureSealingKey } from '#shared/platform/crypto/sealing-key.ts';
import { makeConnections } from '#shared/platform/runtime/connections.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { readStackSettings, stackOptions } from './stack-settings.ts';

/** Makes the first owner of a deployed stack and the key that signs its access tokens:
 *
 *     npm run bootstrap -- --stack exposure-main-production [--region eu-central-1]
 * `--name` makes a further organization, `--role platform_owner` one of the service provider itself. The command needs AWS
 * credentials that may write the table and the secret. The printed secrets are shown once.
 */
const { values } = parseArgs({ options: { ...stackOptions, name: { type: 'string' }, role: { type: 'string' } } });
const { data: role, error } = z.enum(ROLES).safeParse(values.role ?? 'owner');
if (error) throw new Mistake(`--role must be one of ${ROLES.join(', ')}.`);
const settings = await readStackSettings(values);
const connections = makeConnections(settings);
await ensureSigningKey(connections);
await ensureSealingKey(connections);
const { totalCount } = await openTable(connections.dynamo, GLOBAL_SCOPE).list(organizations, {
  paginateFrom: 0,
  paginateSize: 1,
});
if (totalCount > 0 && values.name === undefined) {
  console.error('This stack has an organization already. Add --name "Another company" to make a further one.');
  process.exit(1);
}
const made = await createOrganization(connections, values.name ?? 'First organization', {
  role,
  prepare: giveSubscriptions,
});
console.log(`
  ${settings.BASE_URL}

  organization   ${made.organizationId}
  role           ${role}
  client_id      ${made.clientId}
  client_secret  ${made.clientSecret}
  API key        ${made.apiKey}

The secret and the key are shown only once: keep them in your password store.
`);
connections.dynamo.client.destroy();
