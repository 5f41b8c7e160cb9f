import type { FindingDraft } from '../../readers/finding.ts';
import type { SoftwareDraft } from '../../readers/inventories.ts';
import { type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { packageProblem } from '../../readers/package-problem.ts';
import { findCves, findGhsas } from '../../readers/text.ts';

/** Version 3 lists other elements, too. */
function isPackage(element: JsonObject): boolean {
  const isElement = element['@id'] !== undefined || element.type !== undefined;
  return !isElement || textAt(element, 'type') === 'software_Package';
}

const referencesOf = (element: JsonObject): unknown[] => [
  ...listAt(element, 'externalRefs'),
  ...listAt(element, 'externalRef'),
];

/** An installed package, if it has a name. */
export function softwareOf(element: JsonObject): SoftwareDraft | undefined {
  const name = textAt(element, 'name');
  if (!name || !isPackage(element)) return undefined;
  const references = referencesOf(element);
  const locatorOf = (...types: string[]) =>
    references.filter((reference) => types.includes(typeOf(reference) ?? '')).flatMap(locatorsOf)[0];
  const identifiers = listAt(element, 'externalIdentifier');
  const cpe23 = identifiers.find((one) => textAt(one, 'externalIdentifierType') === 'cpe23');
  return {
    name,
    version: textAt(element, 'versionInfo') ?? textAt(element, 'software_packageVersion'),
    vendor: textAt(element, 'supplier')?.replace(/^(?:Organization|Person): |^NOASSERTION$/g, ''),
    purl: textAt(element, 'software_packageUrl') ?? locatorOf('purl'),
    cpe: locatorOf('cpe23Type', 'cpe22Type') ?? textAt(cpe23, 'identifier'),
  };
}

/** The advisories that affect a package, or undefined for a package without a name. */
export function draftsOf(element: JsonObject): FindingDraft[] | undefined {
  if (!isPackage(element)) return [];
  const software = softwareOf(element);
  if (!software) return undefined;
  const { name, version, purl } = software;
  const references = referencesOf(element);
  const advisories = references.filter((reference) => ADVISORIES.has(typeOf(reference) ?? ''));
  return advisories.flatMap((reference) =>
    locatorsOf(reference).map((link) => {
      const aliases = [...findGhsas(link), ...findCves(link)];
      const id =
        aliases[0] ??
        link
          .split('/')
          .filter((part) => part)
          .at(-1) ??
        link;
      const component = { name, version: version ?? undefined, purl: purl ?? undefined, fixedVersions: [] };
      return {
        ...packageProblem({ id, aliases, component, place: '' }),
        description: textAt(reference, 'comment'),
        asset: null,
        references: [link],
      };
    }),
  );
}

/** `fix`, `url` and `cpe23Type` say nothing of a problem. */
const ADVISORIES = new Set(['advisory', 'securityAdvisory']);

const typeOf = (reference: unknown): string | undefined =>
  textAt(reference, 'referenceType') ?? textAt(reference, 'externalRefType');

const locatorsOf = (reference: unknown): string[] => [
  ...textsAt(reference, 'referenceLocator'),
  ...textsAt(reference, 'locator'),
];
