import { type Entry, firstCharacter, readEntries } from '../../readers/entries.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { type JsonObject, plainAt, textAt } from '../../readers/json.ts';
import { parseValue, splitJson } from '../../readers/json-stream.ts';
import { mergedPlaces } from '../../readers/merged-places.ts';
import { nestedEntries } from '../../readers/nested-entries.ts';
import { pageOf } from '../../readers/site.ts';
import { childrenOf, readXml, type XmlElement } from '../../readers/xml.ts';
import { xmlEntries } from '../../readers/xml-entries.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report/report.ts';
import { draftOf, siteOf } from './alert.ts';
import { alertOfApi } from './api-alert.ts';

const UNUSABLE = 'the alert has no name or no pluginid';

/**
 * ZAP's traditional report, in XML and in JSON, and the alerts of its API. A report also names its sites without an
 * alert, so that their findings are gone; the API names only sites with alerts, which closes nothing.
 */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'ZAP' };
  const isXml = (await firstCharacter(open)) === '<';
  yield* isXml ? sitesOfXml(open) : sitesOf(open);
  yield* readEntries(mergedPlaces(isXml ? xmlDrafts(open) : jsonDrafts(open)), (draft) => draft, UNUSABLE);
}

async function* sitesOfXml(open: OpenReport): AsyncGenerator<ReportEvent> {
  for await (const { kind, path, element } of readXml(open(), () => false))
    if (kind === 'open' && path === 'OWASPZAPReport/site') yield reached(element.attributes.name ?? '');
}

async function* xmlDrafts(open: OpenReport): AsyncGenerator<Entry<FindingDraft | null>> {
  for await (const { value, parents, where } of xmlEntries(open, ['OWASPZAPReport/site/alerts/alertitem'])) {
    const site = parents.find(({ name }) => name === 'site')?.attributes.name ?? '';
    yield { where, ...(value && drafted(alertOf(value), site)) };
  }
}

/** Early versions wrote a single site without a list around it. */
const ALERTS = [
  ['site', '[]', 'alerts', '[]'],
  ['site', 'alerts', '[]'],
  ['alerts', '[]'],
];

async function* jsonDrafts(open: OpenReport): AsyncGenerator<Entry<FindingDraft | null>> {
  for await (const { value, path, parents, where } of nestedEntries(open, { entries: ALERTS, isReport: isEmpty })) {
    const isOfApi = path[0] === 'alerts';
    const site = isOfApi ? (pageOf(textAt(value, 'url'))?.asset.value ?? '') : (textAt(parents.at(-1), '@name') ?? '');
    yield { where, ...(value && drafted(isOfApi ? alertOfApi(value) : value, site)) };
  }
}

function drafted(alert: JsonObject, site: string): Pick<Entry<FindingDraft | null>, 'value'> {
  const draft = draftOf(alert, site);
  return draft === undefined ? {} : { value: draft };
}

const LISTS = new Set<unknown>(['site', 'alerts']);

/** Facts about the scan itself, since ZAP 2.17. */
const INSIGHTS = 'insights';
/** A scan without network or login does not see what it saw before. */
const FAILURES = ['insight.network.failure', 'insight.auth.failure'];

/** ZAP rates a share of failures above its upper threshold as medium. */
function* failureIn(insight: unknown): Generator<ReportEvent> {
  const [key = '', level = ''] = [textAt(insight, 'key'), textAt(insight, 'level')];
  if (!FAILURES.includes(key) || !/^(?:medium|high)$/i.test(level)) return;
  const share = plainAt(insight, 'statistic') ?? '';
  yield { kind: 'incomplete', code: 'tool_error', first: `${textAt(insight, 'description') ?? key}: ${share}` };
}

const isEmpty = (root: JsonObject): boolean => '@generated' in root || '@name' in root;

const reached = (site: string): ReportEvent => ({
  kind: 'covered',
  target: { type: 'url', value: siteOf(site) },
  aliases: [],
  outcome: 'reached',
});

async function* sitesOf(open: OpenReport): AsyncGenerator<ReportEvent> {
  let isKnown = false;
  const walked = (path: readonly unknown[]) =>
    path.length === 0 || (LISTS.has(path[0]) && path.length <= 2) || (path[0] === INSIGHTS && path.length === 1);
  for await (const value of splitJson(open(), walked)) {
    isKnown ||= LISTS.has(value.path[0]) && value.opens !== undefined;
    if (value.path[0] === 'site' && value.path.at(-1) === '@name') yield reached(plainAt(parseValue(value)) ?? '');
    if (value.path[0] === INSIGHTS && value.path.length === 2) yield* failureIn(parseValue(value));
  }
  if (!isKnown) throw new ReportError('unsupported_format', 'The report has no list site: name the format it has.');
}

/** An alert of the XML in the shape of the JSON. */
function alertOf(item: XmlElement): JsonObject {
  const fields = Object.fromEntries(item.children.map(({ name, text }) => [name, text.trim()]));
  const instances = childrenOf(
    item.children.find(({ name }) => name === 'instances'),
    'instance',
  );
  return {
    ...fields,
    instances: instances.map(({ children }) =>
      Object.fromEntries(children.map(({ name, text }) => [name, text.trim()])),
    ),
  };
}
