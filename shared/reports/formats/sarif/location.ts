import { decoded } from '#shared/platform/runtime/texts.ts';
import { indexAt, textAt } from '../../readers/json.ts';
import { cleanPath } from '../../readers/text.ts';
import type { ArtifactLocation, Run } from './run.ts';

/** The place of a result: a path inside the scanned tree, or the URL of a scanned site. */
export type ResultLocation = { path?: string; url?: string };

/**
 * Resolves an artifact location (SARIF 2.1.0, 3.4): by its index, its base, and the bases of its base. A base's absolute
 * URI is the directory of the machine that scanned, so it is left out: the path must be the same from another machine.
 */
export function locationOf(run: Run, artifactLocation: unknown): ResultLocation {
  const own = { uri: textAt(artifactLocation, 'uri'), uriBaseId: textAt(artifactLocation, 'uriBaseId') };
  const index = indexAt(artifactLocation, 'index');
  const place = own.uri === undefined && index !== undefined ? (run.artifacts[index] ?? own) : own;
  if (place.uri === undefined) return {};
  if (/^https?:/i.test(place.uri)) return { url: place.uri };
  const path = /^file:/i.test(place.uri) ? withoutRoot(run, place.uri) : basePath(run, place) + place.uri;
  return { path: cleanPath(decoded(path)) };
}

function basePath(run: Run, place: ArtifactLocation): string {
  let prefix = '';
  let base = run.bases.get(place.uriBaseId ?? '');
  // Bases may name each other in a circle; nobody nests more than a few.
  for (let depth = 0; base && depth < 8; depth += 1) {
    if (base.uri && /^[a-z][a-z0-9+.-]*:/i.test(base.uri)) break;
    if (base.uri) prefix = (base.uri.endsWith('/') ? base.uri : `${base.uri}/`) + prefix;
    base = run.bases.get(base.uriBaseId ?? '');
  }
  return prefix;
}

function withoutRoot(run: Run, uri: string): string {
  const roots = run.roots.filter((root) => uri.startsWith(root)).sort((a, b) => b.length - a.length);
  return roots[0] ? uri.slice(roots[0].length).replace(/^\/+/, '') : uri.replace(/^file:(\/\/[^/]*)?/i, '');
}
