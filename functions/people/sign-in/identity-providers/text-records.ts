import { Resolver } from 'node:dns/promises';
import type { Settings } from '#shared/platform/runtime/env.ts';

const TIME_LIMIT_MS = 3000;

/** The TXT records of a name; none where the name has none, or no server answers. */
export async function textRecords({ DNS_SERVERS }: Settings, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: TIME_LIMIT_MS, tries: 2 });
  if (DNS_SERVERS) resolver.setServers(DNS_SERVERS.split(','));
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.map((parts) => parts.join(''));
}
