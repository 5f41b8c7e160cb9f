import { imageName } from '#shared/assets/targets/image.ts';
import { repositoryName } from '#shared/assets/targets/repository.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { afterLastSlash, decoded } from '#shared/platform/runtime/texts.ts';
import { packageOfPurl, packagePurl } from '#shared/reports/readers/purl.ts';
import type { StatedProduct } from '#shared/reports/report/report.ts';

/** A product, prepared for many comparisons. */
export type Named = {
  isSubject: boolean;
  package: Package;
  /** The names that an asset may have: of an image without tag and digest, of a repository its address. */
  assets: readonly string[];
  /** Whether the product is one version of these assets. */
  isVersion: boolean;
  /** The type of these assets, where the package URL says it. */
  type: 'container_image' | 'repository' | undefined;
  parts: Package[];
};

type Package = {
  name: string;
  purl?: string | undefined;
  version?: string | undefined;
  qualifiers: readonly (string | undefined)[];
};

export const namedBy = (product: StatedProduct): Named => ({
  isSubject: product.isSubject ?? false,
  package: packageOf(product),
  ...assetsOf(product),
  parts: (product.parts ?? []).map(packageOf),
});

function packageOf({ name = '', version, purl }: StatedProduct): Package {
  const own = packageOfPurl(purl);
  return {
    name: (own.name ?? name).toLowerCase(),
    purl: own.name && purl ? packagePurl(purl) : undefined,
    version: withoutEpoch(version ?? own.version),
    qualifiers: ['arch', 'distro'].map((key) => qualifierOf(purl, key)),
  };
}

/** Scanners write the epoch of a package of a distribution before its version, package URLs as a qualifier. */
const withoutEpoch = (version: string | undefined): string | undefined => version?.replace(/^\d+:/, '');

function qualifierOf(purl: string | undefined, key: string): string | undefined {
  const query = /\?([^#]*)/.exec(purl ?? '')?.[1] ?? '';
  const pair = query.split('&').find((one) => one.startsWith(`${key}=`));
  return pair && decoded(pair.slice(key.length + 1));
}

const CODE_HOSTS = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['bitbucket', 'bitbucket.org'],
]);

function assetsOf({ name = '', version, purl }: StatedProduct): Pick<Named, 'assets' | 'isVersion' | 'type'> {
  const [, kind = '', path = '', digest] = /^pkg:([^/@?#]+)\/([^@?#]+)(?:@([^?#]+))?/.exec(purl ?? '') ?? [];
  const host = CODE_HOSTS.get(kind);
  const image = /^(?:oci|docker)$/.test(kind) ? imageOf(decoded(path), purl) : undefined;
  const plain = /^[a-z]+:/i.test(name) ? name : imageName(name);
  const named = [name, plain, host && `${host}/${decoded(path)}`, image];
  return {
    assets: [...new Set(named.flatMap((one) => (one ? plainName(one) : [])))],
    isVersion: plain !== name || [version, digest, qualifierOf(purl, 'tag')].some((one) => one !== undefined),
    type: image ? 'container_image' : host ? 'repository' : undefined,
  };
}

/** `repository_url` is the repository with or without the name of the image (purl-spec, oci). Without it any registry is meant. */
function imageOf(path: string, purl: string | undefined): string {
  const repository = qualifierOf(purl, 'repository_url');
  if (repository === undefined) return path.includes('/') ? path : `${ANY}${path}`;
  return afterLastSlash(repository) === afterLastSlash(path) ? repository : `${repository}/${path}`;
}

/** Before the name of an image in any registry. */
const ANY = '*/';

/** The name of an asset as it is compared: without a scheme and Docker Hub's own names. */
const plainName = (name: string): string =>
  repositoryName(name)
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^(?:(?:index\.)?docker\.io\/)?(?:library\/)?/, '');

/** A finding, prepared for many comparisons. */
export type Subject = { own: Package | undefined; assetId: string; type: string; asset: string };

export const subjectOf = ({ asset, component }: Pick<StoredFinding, 'asset' | 'component'>): Subject => ({
  own: component && packageOf(component),
  assetId: `urn:uuid:${asset.id}`,
  type: asset.type,
  asset: plainName(asset.type === 'container_image' ? imageName(asset.name) : asset.name),
});

/** The key of products that are the subject of their document. */
const THE_SUBJECT = '';

/** The keys under which a product is found: of its package or parts, and of its assets. A product that names a finding has a key of it. */
export function keysOf({ isSubject, package: whole, parts, assets }: Named): Set<string> {
  const packages = parts.length > 0 ? parts : [whole];
  const named = packages.flatMap(({ name, purl }) => (purl ? [name, purl] : name));
  return new Set([...(isSubject ? [THE_SUBJECT] : []), ...named, ...assets, ...assets.map(afterLastSlash)]);
}

export const keysOfSubject = ({ own, assetId, asset }: Subject): Set<string> =>
  new Set([THE_SUBJECT, own?.name ?? '', own?.purl ?? '', assetId, asset, afterLastSlash(asset)]);

/**
 * Whether a product names a finding: its component, or its asset. `exact`: it names the very version of the component.
 * @param isTarget the sender of the document names the asset as the target
 */
export function names(product: Named, subject: Subject, isTarget: boolean): 'exact' | 'any' | undefined {
  const { own, type } = subject;
  if (product.parts.length === 0 && own && isPackage(product.package, own))
    return hasVersion(product.package) ? 'exact' : 'any';
  const isOnAsset = isTarget ? product.isSubject || namesTarget(product, subject) : namesAsset(product, subject);
  if (product.parts.length === 0) return isOnAsset ? 'any' : undefined;
  const isOfProduct = isOnAsset || (isTarget && product.type !== type);
  const parts = own && isOfProduct ? product.parts.filter((part) => isPackage(part, own)) : [];
  return parts.length === 0 ? undefined : parts.some(hasVersion) ? 'exact' : 'any';
}

const hasVersion = ({ version }: Package): boolean => version !== undefined;

function isPackage(stated: Package, own: Package): boolean {
  const isSame = stated.purl && own.purl ? stated.purl === own.purl : stated.name !== '' && stated.name === own.name;
  return (
    isSame &&
    (stated.version === undefined || stated.version === own.version) &&
    stated.qualifiers.every((value, n) => !value || !own.qualifiers[n] || value === own.qualifiers[n])
  );
}

/** An asset has no version, so that a product of one version names it only as the target. */
const namesAsset = (product: Named, subject: Subject): boolean =>
  product.assets.includes(subject.assetId) || (!product.isVersion && hasName(product, subject));

/** The target that the sender names is the product under another name, too: a registry may be a mirror. */
function namesTarget(product: Named, subject: Subject): boolean {
  if (product.assets.includes(subject.assetId) || hasName(product, subject)) return true;
  const own = afterLastSlash(subject.asset);
  return product.type === subject.type && product.assets.some((name) => afterLastSlash(name) === own);
}

const hasName = ({ assets, type }: Named, subject: Subject): boolean =>
  assets.includes(subject.asset) || (type === subject.type && assets.includes(ANY + afterLastSlash(subject.asset)));
