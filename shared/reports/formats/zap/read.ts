import { firstCharacter, readEntries } from '../../entries.ts';
import { type JsonObject, textAt } from '../../json.ts';
import { parseValue, splitJson } from '../../json-stream.ts';
import { nestedEntries } from '../../nested-entries.ts';
import { type OpenReport, ReportError, type ReportEvent } from '../../report.ts';
import { childrenOf, readXml, type XmlElement } from '../../xml.ts';
import { xmlEntries } from '../../xml-entries.ts';
import { draftOf, siteOf } from './alert.ts';

const UNUSABLE = 'the alert has no name or no pluginid';

/** ZAP's traditional report, in XML and in JSON. Sites without an alert are named too: their findings are gone. */
export async function* read(open: OpenReport): AsyncGenerator<ReportEvent> {
  yield { kind: 'tool', name: 'ZAP' };
  if ((await firstCharacter(open)) === '<') {
    for await (const { kind, path, element } of readXml(open(), () => false))
      if (kind === 'open' && path === 'OWASPZAPReport/site') yield reached(element.attributes.name ?? '');
    const alerts = xmlEntries(open, ['OWASPZAPReport/site/alerts/alertitem']);
    yield* readEntries(
      alerts,
      (item, { parents }) => draftOf(alertOf(item), parents.find(({ name }) => name === 'site')?.attributes.name ?? ''),
      UNUSABLE,
    );
    return;
  }
  yield* sitesOf(open);
  const alerts = nestedEntries(open, { entries: [['site', '[]', 'alerts', '[]']], isReport: isEmpty });
  yield* readEntries(alerts, (alert, { parents }) => draftOf(alert, textAt(parents.at(-1), '@name') ?? ''), UNUSABLE);
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
  const walked = (path: readonly unknown[]) => path.length === 0 || (path[0] === 'site' && path.length <= 2);
  for await (const value of splitJson(open(), walked)) {
    isKnown ||= value.path[0] === 'site' && value.opens === 'array';
    if (value.path[2] === '@name') yield reached(String(parseValue(value)));
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
