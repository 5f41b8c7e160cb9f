import { afterLastSlash, decoded } from '#shared/platform/runtime/texts.ts';
import { type ContextBudget, newContextBudget, spend } from '../../readers/context-budget.ts';
import { Inventories, osNamed } from '../../readers/inventories.ts';
import { fieldAt, isObject, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { packageOfPurl } from '../../readers/purl.ts';
import type { OperatingSystem, ReportAsset } from '../../report/report.ts';

/** `path`: the file or lock file that brings the component in. */
type BomComponent = { name: string; version?: string; purl?: string; path: string };

/** The parts of a document to which vulnerabilities refer. */
export type Bom = {
  isKnown: boolean;
  hasVulnerabilities: boolean;
  tools: unknown[];
  /** The serial number and the version of the document. */
  root: JsonObject;
  /** The small members of the metadata: the time, the authors and the maker. */
  metadata: JsonObject;
  /** The reference of what the document is about. */
  subject: string | undefined;
  asset: ReportAsset | null;
  components: Map<string, BomComponent>;
  inventories: Inventories;
  os: OperatingSystem | undefined;
  budget: ContextBudget;
};

export const newBom = (): Bom => ({
  isKnown: false,
  hasVulnerabilities: false,
  tools: [],
  root: {},
  metadata: {},
  subject: undefined,
  asset: null,
  components: new Map(),
  inventories: new Inventories(),
  os: undefined,
  budget: newContextBudget(),
});

/** A component and those inside of it, by their references and package URLs. */
export function addComponent(bom: Bom, component: unknown, isSubject = false): void {
  const name = textAt(component, 'name');
  const [ref, purl] = [textAt(component, 'bom-ref'), textAt(component, 'purl')];
  if (name) {
    const known = {
      name: fullName(component, name),
      version: textAt(component, 'version'),
      purl,
      path: pathOf(component),
    };
    if (!isSubject) addSoftware(bom, component, known);
    for (const key of [ref, purl]) {
      if (!key || bom.components.has(key)) continue;
      spend(bom.budget, 300 + 2 * key.length);
      bom.components.set(key, known);
    }
  }
  for (const inner of listAt(component, 'components')) addComponent(bom, inner);
}

/** A service and those inside of it: vulnerabilities refer to services as to components. */
export function addService(bom: Bom, service: unknown): void {
  addComponent(bom, service, true);
  for (const inner of listAt(service, 'services')) addService(bom, inner);
}

/** Files, devices and the like are no software. */
const SOFTWARE = new Set(['library', 'application', 'framework', 'platform', 'firmware', 'device-driver']);

function addSoftware(bom: Bom, component: unknown, { name, version, purl }: BomComponent): void {
  const type = textAt(component, 'type') ?? 'library';
  if (type === 'operating-system') bom.os ??= osNamed(name, version);
  if (!SOFTWARE.has(type)) return;
  const vendor = textAt(component, 'supplier', 'name') ?? textAt(component, 'publisher');
  bom.inventories.add({ asset: null, software: [{ name, version, vendor, purl, cpe: textAt(component, 'cpe') }] });
}

/** Members of the metadata that say when the document was made, and by whom. */
export const DESCRIBING = ['timestamp', 'authors', 'manufacturer', 'manufacture', 'supplier'];

export function addMetadata(bom: Bom, key: string, value: unknown): void {
  if (key === 'tools')
    bom.tools = [fieldAt(value, 'components') ?? value].flat(2).filter((tool) => textAt(tool, 'name') !== undefined);
  if (DESCRIBING.includes(key)) bom.metadata[key] = value;
  if (key !== 'component') return;
  bom.subject = textAt(value, 'bom-ref') ?? textAt(value, 'purl');
  addComponent(bom, value, true);
  const [name, version] = [textAt(value, 'name'), textAt(value, 'version')];
  if (textAt(value, 'type') !== 'container' || !name) return;
  const hasTag = /[:@]/.test(afterLastSlash(name)) || !version || version.startsWith('sha256:');
  bom.asset = { type: 'container_image', value: hasTag ? name : `${name}:${version}` };
}

/** The component of a reference, which may be in another document: then only the reference describes it. */
export function componentAt(bom: Bom, reference: string): BomComponent {
  const own = reference.startsWith('urn:cdx:') ? decoded(reference.slice(reference.indexOf('#') + 1)) : reference;
  const known = bom.components.get(own);
  if (known) return known;
  const { name, version } = packageOfPurl(own);
  return { name: name ?? own, version, purl: name && own, path: '' };
}

/** The name that package managers write: `org.example:core`, `@scope/name`. */
function fullName(component: unknown, name: string): string {
  const group = textAt(component, 'group');
  if (!group || name.startsWith(group)) return name;
  return `${group}${textAt(component, 'purl')?.startsWith('pkg:maven/') ? ':' : '/'}${name}`;
}

/** Syft and Grype, Trivy, cdxgen; since version 1.5 there is a place of its own. */
const PATHS = ['syft:location:0:path', 'aquasecurity:trivy:FilePath', 'SrcFile'];

function pathOf(component: unknown): string {
  const properties = listAt(component, 'properties').filter(isObject);
  const found = PATHS.flatMap((name) => properties.filter((property) => property.name === name));
  return [...found.flatMap((property) => textsAt(property, 'value')), ...occurrencesOf(component)][0] ?? '';
}

const occurrencesOf = (component: unknown): string[] =>
  listAt(component, 'evidence', 'occurrences').flatMap((occurrence) => textsAt(occurrence, 'location'));
