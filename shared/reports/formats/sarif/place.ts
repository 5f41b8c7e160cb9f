import { decoded } from '#shared/platform/runtime/texts.ts';
import { fieldAt, indexAt, listAt, numberAt, textAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';
import { cleanPath, pathInTree, pathOfFileUri } from '../../readers/text.ts';
import type { ReportAsset, ReportLocation } from '../../report/report.ts';
import { onCodeHost } from './code-host.ts';
import { entryOf, isDirectory, type Run } from './run.ts';

/** The place of a result: a path inside the scanned tree, or the URL of a scanned site or of a page of a code host. */
type ResultLocation = { path?: string; url?: string; repository?: string };

export function locationOfResult(run: Run, result: unknown): ResultLocation {
  const location = fieldAt(result, 'locations', 0, 'physicalLocation', 'artifactLocation');
  const named = locationOf(run, location ?? fieldAt(result, 'analysisTarget'));
  const target = textAt(entryOf(run.webRequests, fieldAt(result, 'webRequest')), 'target');
  const place = named.path || named.url || !target || !isWeb(target) ? named : onPage(run, target);
  const path = place.path ?? place.url ?? logicalNames(run, fieldAt(result, 'locations', 0))[0];
  return { ...place, path: place.url ? undefined : path };
}

export function assetOf(run: Run, place: ResultLocation): ReportAsset | null {
  if (run.image) return { type: 'container_image', value: run.image };
  const repository = run.repository ?? place.repository;
  const site = place.repository ? undefined : pageOf(place.url)?.asset;
  return site ?? (repository ? { type: 'repository', value: repository } : null);
}

export function placeOf(run: Run, location: unknown): ReportLocation {
  const physical = fieldAt(location, 'physicalLocation');
  const { path, url } = locationOf(run, fieldAt(physical, 'artifactLocation'));
  return {
    path,
    url,
    line: indexAt(physical, 'region', 'startLine'),
    snippet: textAt(physical, 'region', 'snippet', 'text'),
  };
}

/** The parts of a region that tell two results of one line apart. */
const EXTENT = ['startColumn', 'endLine', 'endColumn', 'charOffset', 'charLength', 'byteOffset', 'byteLength'];

/** Tells results of one identity and line apart: by the object that they name, their columns and their message. */
export function placeInLine(run: Run, result: unknown, message: string | undefined): string {
  const location = fieldAt(result, 'locations', 0);
  const region = fieldAt(location, 'physicalLocation', 'region');
  const address = fieldAt(location, 'physicalLocation', 'address');
  return JSON.stringify([
    logicalNames(run, location),
    EXTENT.map((part) => numberAt(region, part)),
    numberAt(address, 'absoluteAddress') ?? numberAt(address, 'index'),
    message,
  ]);
}

/** The names of the logical locations, in the report's order (3.33): their own, or those of the run's cache. */
function logicalNames(run: Run, location: unknown): string[] {
  return listAt(location, 'logicalLocations').flatMap((logical) => {
    const known = run.logicalLocations[indexAt(logical, 'index') ?? -1];
    const own = textAt(logical, 'fullyQualifiedName') ?? known ?? textAt(logical, 'name');
    return own === undefined ? [] : [own];
  });
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]+:/i;
const isWeb = (uri: string): boolean => /^https?:/i.test(uri);

/**
 * Resolves an artifact location (SARIF 2.1.0, 3.4): by its index, its base, and the bases of its base. A base that is a
 * directory of the machine that scanned is left out: the path must be the same from another machine.
 */
function locationOf(run: Run, artifactLocation: unknown): ResultLocation {
  const own = { uri: textAt(artifactLocation, 'uri'), uriBaseId: textAt(artifactLocation, 'uriBaseId') };
  const index = indexAt(artifactLocation, 'index');
  const place = own.uri === undefined && index !== undefined ? (run.artifacts[index] ?? own) : own;
  const uri = resolved(run, place.uri ?? '', place.uriBaseId);
  if (isWeb(uri)) return onPage(run, uri);
  if (place.uri === undefined) return {};
  const path = belowRoot(run, cleanPath(/^file:/i.test(uri) ? pathOfFileUri(uri) : decoded(uri)));
  return { path: run.image ? path : pathInTree(path) };
}

function resolved(run: Run, uri: string, uriBaseId: string | undefined): string {
  let whole = uri;
  let base = run.bases.get(uriBaseId ?? '');
  // Bases may name each other in a circle; nobody nests more than a few.
  for (let depth = 0; base && depth < 8 && !ABSOLUTE.test(whole); depth += 1) {
    if (base.uri && isWeb(base.uri)) return URL.parse(whole, withSlash(base.uri))?.href ?? whole;
    if (base.uri && (ABSOLUTE.test(base.uri) || isDirectory(base.uri))) break;
    if (base.uri) whole = withSlash(base.uri) + whole;
    base = run.bases.get(base.uriBaseId ?? '');
  }
  return whole;
}

const withSlash = (uri: string): string => (uri.endsWith('/') ? uri : `${uri}/`);

/** A page of a code host is of the repository, and often of a file; another page is of the site that was scanned. */
function onPage(run: Run, url: string): ResultLocation {
  const { repository, path } = onCodeHost(url) ?? {};
  if (path) return { path, repository };
  const isOfRun = run.repository !== undefined && withSlash(url).startsWith(withSlash(run.repository));
  return { url, repository: repository ?? (isOfRun ? run.repository : undefined) };
}

/** The path below the deepest of the directories that the run names. */
function belowRoot(run: Run, path: string): string {
  const root = run.roots.filter((one) => path.startsWith(one)).sort((a, b) => b.length - a.length)[0];
  return root === undefined ? path : path.slice(root.length).replace(/^\/+/, '');
}
