import { expect } from 'vitest';
import { apexAppliances } from '#shared/apex/apex-appliance.ts';
import { enableCredential } from '#shared/platform/auth/credential.ts';
import type { MachineKind } from '#shared/platform/auth/permissions.ts';
import { agents } from '#shared/scanning/agents/agent.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { integrators } from '#shared/soc/incidents/integrator.ts';
import { collectors } from '#shared/soc/siem/collector.ts';
import type { Client, OperationName } from './client.ts';
import type { TestOrganization, TestSystem } from './system.ts';

/** Every operation that links a machine, with the kind and the collection of the machine. */
export const linkOperations: [OperationName & `link${string}`, MachineKind, { name: string }][] = [
  ['linkAgent', 'agent', agents],
  ['linkLinuxAgent', 'agent', agents],
  ['linkMacosAgent', 'agent', agents],
  ['linkWindowsAgent', 'agent', agents],
  ['linkApex', 'apex', apexAppliances],
  ['linkCollector', 'collector', collectors],
  ['linkIntegrator', 'integrator', integrators],
  ['linkScanner', 'scanner', scanners],
];

/** Links scanners to the system, and looks at what became of them and of their link token. */
export function linkingTo(system: TestSystem) {
  const anyone = system.client();
  return {
    link: (linkToken: string | undefined, more: object = {}) =>
      anyone.call('linkScanner', { body: { linkToken, name: 'north', ...more } }),
    login: (client_id: string, client_secret: string) =>
      anyone.call('issueToken', { body: { grant_type: 'client_credentials', client_id, client_secret } }),
  };
}

/** The answer to a link token that is wrong, used up, expired or revoked. */
export const noToken = { status: 401, body: { code: 'invalid_link_token', message: expect.any(String) } };

export const scannersOf = ({ table }: TestOrganization) => table.list(scanners, { paginateFrom: 0, paginateSize: 50 });
export const tokenOf = async ({ admin }: TestOrganization) => (await admin.ok('listLinkTokens')).data[0];

/** A machine that somebody disabled. */
export async function disabled({ machine, table }: TestOrganization, kind: MachineKind): Promise<Client> {
  const { id, client } = await machine(kind);
  const batch = table.batch();
  batch.write(enableCredential({ organizationId: table.organizationId, id }, false));
  await batch.commit();
  return client;
}
