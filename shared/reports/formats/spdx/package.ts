import type { FindingDraft } from '../../finding.ts';
import { type JsonObject, listAt, textAt, textsAt } from '../../json.ts';
import { packageProblem } from '../../package-problem.ts';
import { findCves, findGhsas } from '../../text.ts';

/** The advisories that affect a package, or undefined for one without a name. Version 3 lists other elements, too. */
export function draftsOf(element: JsonObject): FindingDraft[] | undefined {
  const isElement = element['@id'] !== undefined || element.type !== undefined;
  if (isElement && textAt(element, 'type') !== 'software_Package') return [];
  const name = textAt(element, 'name');
  if (!name) return undefined;
  const version = textAt(element, 'versionInfo') ?? textAt(element, 'software_packageVersion');
  const references = [...listAt(element, 'externalRefs'), ...listAt(element, 'externalRef')];
  const isOf = (type: string) => (reference: unknown) => typeOf(reference) === type;
  const purl = textAt(element, 'software_packageUrl') ?? references.filter(isOf('purl')).flatMap(locatorsOf)[0];
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
      const component = { name, version, purl, fixedVersions: [] };
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
