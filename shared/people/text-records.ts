import { Resolver } from 'node:dns/promises';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import type { Settings } from '#shared/platform/runtime/env.ts';

const TIME_LIMIT_MS = 3000;

/** The answers by which a name server says that there is no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** The TXT records of a name; undefined where no name server answers. */
export async function textRecords({ DNS_SERVERS }: Settings, name: string): Promise<string[] | undefined> {
  const resolver = new Resolver({ timeout: TIME_LIMIT_MS, tries: 2 });
  if (DNS_SERVERS) resolver.setServers(DNS_SERVERS.split(','));
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    return ABSENT.has(failureCode(error)) ? [] : undefined;
  }
}
