import { readFile, writeFile } from 'node:fs/promises';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { hostOf } from '#shared/assets/targets/targets.ts';
import { parseBlock } from '#shared/platform/runtime/addresses.ts';
import { type Reach, type Resolver, reachOf, type TaskRules } from './reach.ts';
import { hasProxy, type Tool } from './tools.ts';

type TaskTarget = { type: string; value: string };

/** The targets that a tool gets, and the name of each address. */
type Handed = { target: string; reach: Reach; named?: { name: string; address: string } };

/**
 * Resolves and checks the target of a task. A tool gets the address that was checked; one with a proxy gets the name,
 * because the proxy checks each connection.
 * @throws when the task may touch no address of its target
 */
export async function handOver(
  tool: Tool,
  { target, ...rules }: TaskRules & { target: TaskTarget },
  resolve: Resolver,
): Promise<Handed> {
  const reach = await reachOf({ ...rules, exclusions: await withAddresses(tool, rules, resolve) }, resolve);
  const type = TARGET_TYPES.find((one) => one === target.type);
  const host = target.type === 'cidr' ? target.value : type && hostOf({ type, value: target.value });
  if (host === undefined) return { target: target.value, reach };
  const [address = ''] = await reach(host);
  if (target.type === 'repository' || target.type === 'container_image' || hasProxy(tool) || parseBlock(host))
    return { target: target.value, reach };
  if (target.type === 'url') return { target: withHost(target.value, address), reach };
  return { target: address, reach, named: { name: host, address } };
}

/** A tool for networks touches an excluded name by its addresses; for the web, many names share an address. */
async function withAddresses(tool: Tool, { exclusions }: TaskRules, resolve: Resolver) {
  if (hasProxy(tool)) return exclusions;
  const names = exclusions.filter(({ type, value }) => type !== 'url' && !parseBlock(value));
  const found = await Promise.all(names.map(({ value }) => resolve(value)));
  return [...exclusions, ...found.flat().map((value) => ({ type: 'host', value }))];
}

function withHost(value: string, address: string): string {
  const url = new URL(value);
  url.hostname = address.includes(':') ? `[${address}]` : address;
  return url.href;
}

/**
 * Writes the name into Nmap's report, as if Nmap had scanned the name: findings belong to names, because addresses
 * change.
 */
export async function writeName(reportFile: string, { name, address }: { name: string; address: string }) {
  const report = await readFile(reportFile, 'utf8');
  const host = report.indexOf(`<address addr="${address}"`);
  const names = host < 0 ? -1 : report.indexOf('<hostnames>', host);
  if (names < 0 || !/^[\w.-]+$/.test(name)) return;
  const at = names + '<hostnames>'.length;
  await writeFile(reportFile, `${report.slice(0, at)}\n<hostname name="${name}" type="user"/>${report.slice(at)}`);
}
