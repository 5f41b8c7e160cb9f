import type { Connections } from '#shared/platform/runtime/connections.ts';
import { contentOf, readFeeds } from './facts.ts';

/** The CVE of an id of another database. */
export type Aliases = (id: string) => string | undefined;

const parsed = new WeakMap<Buffer, Record<string, string>>();

export function aliasesIn(content: Buffer): Record<string, string> {
  const known = parsed.get(content);
  if (known) return known;
  const read = content.length === 0 ? {} : (JSON.parse(content.toString()) as Record<string, string>);
  parsed.set(content, read);
  return read;
}

/** The aliases as OSV has them now; an object of some megabytes, which a process reads once. */
export async function readAliases(
  connections: Pick<Connections, 'dynamo' | 'bucket'>,
  feeds = readFeeds(connections),
): Promise<Aliases> {
  const content = await contentOf(connections, (await feeds).get('osv'));
  const aliases = aliasesIn(content);
  return (id) => (Object.hasOwn(aliases, id) ? aliases[id] : undefined);
}
