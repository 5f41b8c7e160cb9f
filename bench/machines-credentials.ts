import { scanCredentialHandlers } from '#functions/scanning/scan-credentials/handlers.ts';
import { pollAsScanner } from '#functions/scanning/scanner-communication/poll.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { engage, linkScanners } from './lease-world.ts';
import { LIST, type World } from './machine-world.ts';
import type { BenchRow } from './report.ts';

const { createCredential, releaseTaskSecrets, listCredentialReleases } = scanCredentialHandlers;
const person = { id: 'bench' };

type Held = { scanner: { id: string }; taskId: string };

/** Measures the release of a credential to a scanner for its task, and the list of the releases. */
export async function measureCredentials(world: World): Promise<BenchRow[]> {
  const { table, connections, call } = world;
  const login = { name: 'Login of the shop', kind: 'web_login', username: 'shop', secret: { password: 'secret' } };
  const targets = [{ type: 'cidr', value: '10.0.0.0/25', zone: null }];
  const body = { ...login, description: null, domain: null, targets, zones: [] };
  const credential = await createCredential(call(person, { body }));
  await engage({ connections, table }, '10.0.0.0/25');
  const held: Held[] = [];
  for (const id of await linkScanners(table, 12)) {
    const { tasks } = await pollAsScanner(table, { machineId: id, body: { capacity: 10 }, address: '192.0.2.1' });
    held.push(...tasks.map((task) => ({ scanner: { id }, taskId: task.id })));
  }
  for (const { taskId } of held) await table.modify(scannerTasks, taskId, () => ({ credentialIds: [credential.id] }));
  const release = (n: number) => {
    const { scanner, taskId } = held[n] ?? { scanner: person, taskId: '' };
    return releaseTaskSecrets(call(scanner, { params: { id: taskId } }));
  };
  const params = { id: credential.id };
  const page = (n: number) => {
    const query = { paginateFrom: Math.floor((n / 7) * (held.length - 25)), paginateSize: 25 };
    return listCredentialReleases(call(person, { params, query }));
  };
  const size = String(held.length);
  return [
    await world.dearest({ operation: 'credential: release to a scanner', run: release }, held.length),
    await world.dearest({ operation: 'credential: list of 25 releases', size, budget: LIST, run: page }, 8),
  ];
}
