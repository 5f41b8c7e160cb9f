import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, indexAt, type JsonObject, listAt, textAt } from '../../readers/json.ts';
import { pageOf } from '../../readers/site.ts';

/** The fields of a problem at a URL, as DAST and API fuzzing report it. */
export function webPlaceOf(entry: JsonObject, rule: string) {
  const location = fieldAt(entry, 'location');
  const [path, method, param] = [textAt(location, 'path') ?? '', textAt(location, 'method'), textAt(location, 'param')];
  const url = `${(textAt(location, 'hostname') ?? '').replace(/(?<!\/)\/$/, '')}${path}`;
  const name = textAt(entry, 'name') ?? textAt(entry, 'message') ?? rule;
  return {
    title: `${name}: ${[method, path || '/', param && `(${param})`].filter((text) => text).join(' ')}`,
    asset: pageOf(url)?.asset ?? null,
    location: { url },
    evidence: [
      { kind: 'text', content: textAt(entry, 'evidence', 'summary') ?? '' },
      { kind: 'http', content: requestOf(entry) },
      { kind: 'http', content: responseOf(entry) },
    ],
    identity: [rule, method ?? '', path, param ?? ''],
  } satisfies Partial<FindingDraft>;
}

function requestOf(entry: JsonObject): string {
  const request = fieldAt(entry, 'evidence', 'request');
  const url = textAt(request, 'url');
  return url ? [`${textAt(request, 'method') ?? 'GET'} ${url}`, ...headersOf(request)].join('\n') : '';
}

function responseOf(entry: JsonObject): string {
  const response = fieldAt(entry, 'evidence', 'response');
  const status = indexAt(response, 'status_code');
  if (status === undefined) return '';
  return [`${status} ${textAt(response, 'reason_phrase') ?? ''}`.trim(), ...headersOf(response)].join('\n');
}

const headersOf = (message: unknown): string[] =>
  listAt(message, 'headers')
    .slice(0, 50)
    .map((header) => `${textAt(header, 'name') ?? ''}: ${textAt(header, 'value') ?? ''}`);
