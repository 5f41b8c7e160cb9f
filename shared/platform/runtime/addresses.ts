import { isIP } from 'node:net';

/** All addresses that share the first `prefix` bits of `first`. */
export type Block = { version: 4 | 6; first: bigint; prefix: number };

const bitsOf = (version: 4 | 6): number => (version === 4 ? 32 : 128);

/**
 * The host of a URL, an IPv6 address without its brackets. Parse with `URL.parse`: `URL.canParse` accepts hosts of more than
 * 10,000 characters that `new URL` refuses.
 */
export const hostnameOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '');

/** The number of addresses in a block. */
export const sizeOf = ({ version, prefix }: Block): bigint => 1n << BigInt(bitsOf(version) - prefix);

/**
 * Parses an address or CIDR (RFC 4632, RFC 4291); other text gives undefined. Bits behind the prefix are cut off. An
 * IPv4-mapped IPv6 address is the same host as its IPv4 address, and becomes that.
 */
export function parseBlock(text: string): Block | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (rest.length > 0 || (version !== 4 && version !== 6)) return undefined;
  const bits = bitsOf(version);
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits || address.includes('%')) return undefined;
  const host = (1n << BigInt(bits - prefix)) - 1n;
  const value = version === 4 ? parse4(address) : parse6(address);
  const block: Block = { version, first: value & ~host, prefix };
  return isMapped(block) ? { version: 4, first: block.first & 0xffffffffn, prefix: prefix - 96 } : block;
}

/** ::ffff:0:0/96 (RFC 4291, section 2.5.5.2). */
const isMapped = ({ version, first, prefix }: Block): boolean =>
  version === 6 && prefix >= 96 && first >> 32n === 0xffffn;

const parse4 = (text: string): bigint => text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);

function parse6(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').flatMap(groupsOf));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = new Array<bigint>(8 - before.length - after.length).fill(0n);
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | group, 0n);
}

/** The value of four hexadecimal digits, or the two values of the dotted end of an IPv4-mapped address. */
function groupsOf(text: string): bigint[] {
  if (!text.includes('.')) return [BigInt(`0x${text}`)];
  const address = parse4(text);
  return [address >> 16n, address & 0xffffn];
}

/** The canonical text of a block: a single address has no prefix; IPv6 is written by RFC 5952. */
export function blockText(block: Block): string {
  const address = block.version === 4 ? text4(block.first) : text6(block.first);
  return block.prefix === bitsOf(block.version) ? address : `${address}/${block.prefix}`;
}

const text4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');

/** The URL parser writes IPv6 as RFC 5952 does. */
const text6 = (value: bigint): string =>
  new URL(
    `http://[${value
      .toString(16)
      .padStart(32, '0')
      .replace(/.{4}(?!$)/g, '$&:')}]`,
  ).hostname.slice(1, -1);

export const contains = (outer: Block, inner: Block): boolean =>
  outer.version === inner.version &&
  outer.prefix <= inner.prefix &&
  inner.first >> BigInt(bitsOf(outer.version) - outer.prefix) ===
    outer.first >> BigInt(bitsOf(outer.version) - outer.prefix);

/** A test whether one of some blocks contains another block; each step halves the blocks until one is left. */
export function blocksTest(blocks: readonly Block[]): (inner: Block) => boolean {
  const of = (version: 4 | 6) =>
    blocks
      .filter((block) => block.version === version)
      .sort((a, b) => (a.first === b.first ? a.prefix - b.prefix : a.first < b.first ? -1 : 1))
      // blocks never overlap in part: the one before contains a block or ends before it
      .reduce<Block[]>((outer, block) => {
        const before = outer.at(-1);
        if (!before || !contains(before, block)) outer.push(block);
        return outer;
      }, []);
  const outer = { 4: of(4), 6: of(6) };
  return (inner) => {
    const sorted = outer[inner.version];
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((sorted[middle] as Block).first <= inner.first) from = middle + 1;
      else to = middle;
    }
    const block = sorted[from - 1];
    return block !== undefined && contains(block, inner);
  };
}

/** Whether two blocks share an address. */
export const overlap = (one: Block, other: Block): boolean => contains(one, other) || contains(other, one);

/**
 * The blocks that hold exactly the addresses of a range: `10.0.0.5-10.0.0.9`, `10.0.0.5-9` (the last number changes),
 * `2001:db8::5-2001:db8::9`. Undefined for other text.
 */
export function parseRange(text: string): Block[] | undefined {
  const [from = '', to = '', ...rest] = text.split('-').map((part) => part.trim());
  const end = /^\d{1,3}$/.test(to) && isIP(from) === 4 ? from.replace(/\d{1,3}$/, to) : to;
  if (rest.length > 0 || isIP(from) !== isIP(end)) return undefined;
  const [first, last] = [parseBlock(from), parseBlock(end)];
  if (!first || first.version !== last?.version || first.first > last.first) return undefined;
  return between(first.version, first.first, last.first);
}

/** The fewest blocks from an address to another: each is the largest that begins there and does not pass the end. */
function between(version: 4 | 6, first: bigint, last: bigint): Block[] {
  const blocks: Block[] = [];
  for (let at = first; at <= last; ) {
    let block: Block = { version, first: at, prefix: bitsOf(version) };
    for (let next = block; next.first === at && at + sizeOf(next) - 1n <= last; next = wider(next)) block = next;
    blocks.push(block);
    at += sizeOf(block);
  }
  return blocks;
}

/** The block around a block; for the whole address space, a block beyond every end. */
const wider = ({ version, first, prefix }: Block): Block => {
  const free = BigInt(bitsOf(version) - prefix + 1);
  return { version, first: (first >> free) << free, prefix: prefix - 1 };
};

const halves = ({ version, first, prefix }: Block): [Block, Block] => {
  const next = prefix + 1;
  return [
    { version, first, prefix: next },
    { version, first: first + (1n << BigInt(bitsOf(version) - next)), prefix: next },
  ];
};

/** The rest of a block without the excluded blocks: as few blocks as possible, in order. */
export function subtract(block: Block, excluded: readonly Block[]): Block[] {
  if (excluded.some((other) => contains(other, block))) return [];
  const inside = excluded.filter((other) => contains(block, other));
  if (inside.length === 0) return [block];
  return halves(block).flatMap((half) => subtract(half, inside));
}

/** Splits a block into pieces of at most `2^bits` addresses. */
export function split(block: Block, bits: number): Block[] {
  if (bitsOf(block.version) - block.prefix <= bits) return [block];
  return halves(block).flatMap((half) => split(half, bits));
}
