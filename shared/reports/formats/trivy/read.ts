import { inCategories, toolIn } from '../../readers/categories.ts';
import { readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { Inventories, osNamed } from '../../readers/inventories.ts';
import { fieldAt, indexAt, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { type NestedEntry, nestedEntries } from '../../readers/nested-entries.ts';
import { wholeVersion } from '../../readers/package-problem.ts';
import type { OpenReport, ReportAsset, ReportEvent } from '../../report/report.ts';
import { licenseDraft, misconfigurationDraft, secretDraft, type TrivyPlace, vulnerabilityDraft } from './problems.ts';

const TRIVY = 'Trivy';

/** The results of a scan: of schema 2, of schema 1, and of `trivy k8s` in its older and its newer shape. */
const RESULTS = [
  ['Results', '[]'],
  ['[]'],
  ['Resources', '[]', 'Results', '[]'],
  ['Vulnerabilities', '[]', 'Results', '[]'],
  ['Misconfigurations', '[]', 'Results', '[]'],
] as const;

const LISTS: Record<string, (entry: JsonObject, at: TrivyPlace) => FindingDraft | [] | undefined> = {
  Vulnerabilities: vulnerabilityDraft,
  Misconfigurations: misconfigurationDraft,
  Secrets: secretDraft,
  Licenses: licenseDraft,
};

export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: TRIVY };
  const looked: Looked = { categories: new Set(), assets: new Map(), failures: [] };
  let category: string | undefined;
  const entries = nestedEntries(open, {
    entries: RESULTS.flatMap((result) => [...Object.keys(LISTS), 'Packages'].map((list) => [...result, list, '[]'])),
    isReport: (object) => ['SchemaVersion', 'ClusterName', 'Target'].some((key) => Object.hasOwn(object, key)),
    onAround: (objects) => noteLooked(looked, objects),
  });
  const inventories = new Inventories();
  const read = (value: JsonObject, entry: NestedEntry) => {
    category = categoryOf(entry.parents.at(-1));
    if (entry.path.at(-2) !== 'Packages') return draftOf(value, entry);
    addPackage(inventories, value, entry.parents);
    return [];
  };
  const findings = readEntries(entries, read, 'the entry lacks its id, its package or a known status');
  yield* inCategories(TRIVY, findings, () => category);
  yield* inventories.events();
  if (looked.categories.size === 0) yield toolIn(TRIVY, PACKAGES);
  for (const one of looked.categories) yield toolIn(TRIVY, one);
  const { failures } = looked;
  if (failures.length > 0)
    yield { kind: 'incomplete', code: 'not_read', count: failures.length, thing: 'object', first: failures[0] };
  for (const target of looked.assets.values()) yield { kind: 'covered', target, aliases: [], outcome: 'reached' };
}

type Looked = { categories: Set<string>; assets: Map<string, ReportAsset>; failures: string[] };

/**
 * The kinds that Trivy looked for, the images that the report names, also those without a problem, and why it could not
 * scan some objects of a cluster.
 */
function noteLooked({ categories, assets, failures }: Looked, objects: Iterable<JsonObject>): void {
  for (const object of objects) {
    const [category, asset] = [categoryOf(object), assetOf(object)];
    if (category) categories.add(category);
    if (asset) assets.set(asset.value, asset);
    failures.push(...textsAt(object, 'Error'));
  }
}

/** Older versions write no result where packages have no vulnerability. */
const PACKAGES = 'packages';

/** The class of a result, such as `config` or `secret`: each class is switched on by itself. */
function categoryOf(result: JsonObject | undefined): string {
  const kind = kindOf(result);
  return kind.endsWith('-pkgs') ? PACKAGES : kind;
}

/** The packages of a cluster come from many images, which its report does not separate. */
function addPackage(inventories: Inventories, value: JsonObject, parents: readonly JsonObject[]): void {
  const name = textAt(value, 'Name');
  const { asset, resource } = placeOf(parents);
  if (!name || resource !== undefined) return;
  const version = wholeVersion(textAt(value, 'Version'), {
    epoch: indexAt(value, 'Epoch'),
    release: textAt(value, 'Release'),
  });
  const system = fieldAt(parents[0], 'Metadata', 'OS');
  const os = osNamed(textAt(system, 'Family'), textAt(system, 'Name'));
  inventories.add({ asset, os, software: [{ name, version, purl: textAt(value, 'Identifier', 'PURL') }] });
}

function draftOf(value: JsonObject, { path, parents }: NestedEntry): FindingDraft | [] | undefined {
  return LISTS[String(path.at(-2))]?.(value, placeOf(parents));
}

function placeOf(parents: readonly JsonObject[]): TrivyPlace {
  const [report, result] = [parents[0], parents.at(-1)];
  const target = textAt(result, 'Target') ?? '';
  const kind = kindOf(result);
  const object = parents.length === 3 ? parents[1] : undefined;
  const names = [textAt(object, 'Namespace'), textAt(object, 'Kind'), textAt(object, 'Name')];
  return { asset: assetOf(report), target, kind, ...(object && { resource: names.filter((name) => name).join('/') }) };
}

/** Schema 1 names no class, but the operating system in brackets. */
const kindOf = (result: JsonObject | undefined): string =>
  textAt(result, 'Class') ?? (/ \([\w.]+ [\w.-]+\)$/.test(textAt(result, 'Target') ?? '') ? 'os-pkgs' : '');

function assetOf(report: JsonObject | undefined): ReportAsset | null {
  const [name, type] = [textAt(report, 'ArtifactName'), textAt(report, 'ArtifactType')];
  if (name && type === 'container_image') return { type, value: name };
  if (name && type === 'aws_account') return { type: 'cloud_account', value: name };
  return name && type === 'repository' && /^(https?|ssh|git):|@/.test(name) ? { type, value: name } : null;
}
