/** The types of targets. */
const TARGET_TYPES = [
  'host',
  'cidr',
  'domain',
  'url',
  'repository',
  'application',
  'cloud_account',
  'container_image',
] as const;
export type Target = { type: (typeof TARGET_TYPES)[number]; value: string; zone: string | null };

/** The type that a value looks like. A person corrects it by writing the type before the value. */
function typeOf(value: string): Target['type'] {
  if (value.endsWith('.git') || value.startsWith('github.com/') || value.startsWith('gitlab.com/')) return 'repository';
  if (value.includes('://')) return 'url';
  const [address = '', prefix] = value.split('/');
  const isAddress = /^[\d.]+$/.test(address) || address.includes('::');
  if (isAddress) return prefix === undefined ? 'host' : 'cidr';
  if (value.includes('/') || value.includes(':')) return 'container_image';
  return value.includes('.') ? 'domain' : 'host';
}

/** `repository github.com/acme/shop`, `10.0.0.5 office`, `shop.example.com`: a type and a zone may stand around the value. */
function targetOf(line: string): Target[] {
  const words = line.split(' ').filter(Boolean);
  const named = TARGET_TYPES.find((type) => type === words[0]);
  const [value, zone = null] = named ? words.slice(1) : words;
  return value === undefined ? [] : [{ type: named ?? typeOf(value), value, zone }];
}

export const targetsIn = (text: string): Target[] => text.split('\n').flatMap(targetOf);

export const linesOf = (targets: readonly Target[]): string =>
  targets.map(({ type, value, zone }) => [type, value, zone].filter(Boolean).join(' ')).join('\n');
