import { lookup } from 'node:dns/promises';
import { type Block, blockText, overlap, parseBlock } from '#shared/platform/runtime/addresses.ts';
import { isPublicBlock } from '#shared/platform/runtime/public-addresses.ts';

/** The addresses that the tools of this machine would find for a name. @returns none for a name that does not exist */
export type Resolver = (name: string) => Promise<string[]>;

type Place = { type: string; value: string };

/** The rules of one task: its exclusions, and whether it may touch only the public network. */
export type TaskRules = { exclusions: readonly Place[]; publicOnly: boolean };

/** Gives the addresses of a host, a name or an address, that a task may touch. @throws when there is none */
export type Reach = (host: string) => Promise<string[]>;

export const resolveHere: Resolver = async (name) => {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND') return [];
    throw error;
  }
};

/**
 * The reach of a task. Resolves names at each call, and returns only addresses: a tool connects to the checked address.
 * IPv4 comes first.
 */
export async function reachOf({ exclusions, publicOnly }: TaskRules, resolve: Resolver): Promise<Reach> {
  const places = exclusions.filter(({ type }) => type !== 'url');
  const blocks = places.flatMap(({ value }) => parseBlock(value) ?? []);
  const names = places.filter(({ value }) => !parseBlock(value)).map(({ type, value }) => ({ type, value }));
  const isOpen = (block: Block) => (!publicOnly || isPublicBlock(block)) && !blocks.some((one) => overlap(one, block));
  const isNamed = (host: string) =>
    names.some(({ type, value }) => host === value || (type === 'domain' && host.endsWith(`.${value}`)));
  return async (host) => {
    const given = parseBlock(host);
    const found = given ? [given] : (await resolve(host)).flatMap((address) => parseBlock(address) ?? []);
    const open = isNamed(host.toLowerCase()) ? [] : found.filter(isOpen).sort((a, b) => a.version - b.version);
    if (open.length > 0) return open.map(blockText);
    const seen = found.length === 0 ? 'has no address' : `is ${found.map(blockText).join(', ')}`;
    throw new Error(`${host} ${seen}: the task may not touch it`);
  };
}

/** The exclusions that a tool must apply: pages, because a check of addresses does not cover them. */
export const pagesOf = ({ exclusions }: TaskRules): string[] =>
  exclusions.flatMap(({ type, value }) => (type === 'url' ? [value] : []));
