import { parseArgs } from 'node:util';
import * as z from 'zod';
import { createOrganization } from '#shared/credentials/bootstrap.ts';
import { giveSubscriptions } from '#shared/notifications/defaults.ts';
import { ROLES } from '#shared/platform/auth/permissions.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';
import { dataDirOption, openRunning } from './running-system.ts';

/** `npm run organization -- --name "Another company" [--role platform_owner]`: a further organization on the running local system. */
const { values } = parseArgs({ options: { ...dataDirOption, name: { type: 'string' }, role: { type: 'string' } } });
const role = z.enum(ROLES).safeParse(values.role ?? 'admin');
if (!values.name?.trim() || !role.success) {
  console.error('usage: npm run organization -- --name NAME [--role ROLE] [--data-dir DIR]');
  console.error(`roles of its first account: ${ROLES.join(', ')}`);
  process.exit(64);
}
const system = await openRunning(values);
const made = await createOrganization(openConnections(), values.name.trim(), {
  role: role.data,
  prepare: giveSubscriptions,
});
console.log(JSON.stringify({ baseUrl: system.baseUrl, ...made, role: role.data }, null, 2));
console.error('The secret and the key are shown only once.');
await system.close();
