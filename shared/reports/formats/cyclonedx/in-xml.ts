import type { Entry } from '../../readers/entries.ts';
import { fieldAt, listAt, textAt } from '../../readers/json.ts';
import { readXml, type XmlEvent } from '../../readers/xml.ts';
import { objectOf } from '../../readers/xml-object.ts';
import type { OpenReport } from '../../report/report.ts';
import { addComponent, addMetadata, addService, type Bom, DESCRIBING } from './bom.ts';

const COMPONENT = 'bom/components/component';
const SERVICE = 'bom/services/service';
const VULNERABILITY = 'bom/vulnerabilities/vulnerability';
const METADATA = ['component', 'tools', ...DESCRIBING].map((name) => `bom/metadata/${name}`);
const CAPTURED = new Set([COMPONENT, SERVICE, VULNERABILITY, ...METADATA]);

/** Elements that hold a list of others. */
const LISTS = new Set([
  'components',
  'services',
  'tools',
  'authors',
  'properties',
  'occurrences',
  'vulnerabilities',
  'ratings',
  'cwes',
  'advisories',
  'references',
  'recommendations',
  'affects',
  'versions',
]);

export async function bomInXml(open: OpenReport, bom: Bom): Promise<void> {
  for await (const { kind, path, element } of elements(open)) {
    if (path === 'bom' && kind === 'open') {
      bom.root = element.attributes;
      bom.isKnown = /cyclonedx/.test(Object.values(element.attributes).join(' '));
    }
    bom.hasVulnerabilities ||= path === 'bom/vulnerabilities';
    if (kind !== 'element') continue;
    const object = objectOf({ name: '', attributes: {}, children: [element], text: '' }, LISTS);
    const [[name = '', content] = []] = Object.entries(object);
    if (path === COMPONENT) {
      bom.hasVulnerabilities ||= listAt(content, 'vulnerabilities').length > 0;
      addComponent(bom, content);
    } else if (path === SERVICE) addService(bom, content);
    else if (METADATA.includes(path)) addMetadata(bom, name, content);
  }
}

/** Up to version 1.3 an extension lists the vulnerabilities, of the document or inside of each component. */
export async function* vulnerabilitiesInXml(open: OpenReport): AsyncGenerator<Entry> {
  let number = 0;
  for await (const { kind, path, element } of elements(open)) {
    if (kind !== 'element' || path === SERVICE || METADATA.includes(path)) continue;
    const object = objectOf(element, LISTS);
    const ref = textAt(object, 'bom-ref') ?? textAt(object, 'purl');
    for (const one of path === COMPONENT ? listAt(object, 'vulnerabilities') : [object]) {
      number += 1;
      const affects = fieldAt(one, 'affects') ?? [{ ref: textAt(one, 'ref') ?? ref }];
      yield { value: { ...Object(one), affects }, where: `vulnerability ${number}` };
    }
  }
}

/** Namespaces may have any prefix. */
const localPath = (path: string): string => path.replace(/(^|\/)[^/:]{1,50}:/g, '$1');

async function* elements(open: OpenReport): AsyncGenerator<XmlEvent> {
  for await (const event of readXml(open(), (path) => CAPTURED.has(localPath(path))))
    yield { ...event, path: localPath(event.path) };
}
