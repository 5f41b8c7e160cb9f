import { fieldAt, type JsonObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { documentEvent, timeOf } from '../../readers/vex.ts';
import type { ReportEvent, StatedProduct, StatedStatus, Statement } from '../../report/report.ts';
import { type Bom, componentAt } from './bom.ts';

/** States of an analysis (VEX). */
const STATES = new Map<string, StatedStatus>([
  ['not_affected', 'not_affected'],
  ['false_positive', 'not_affected'],
  ['resolved', 'fixed'],
  ['resolved_with_pedigree', 'fixed'],
  ['exploitable', 'affected'],
  ['in_triage', 'under_investigation'],
]);

const statusOf = (vulnerability: JsonObject): StatedStatus | undefined =>
  STATES.get(textAt(vulnerability, 'analysis', 'state') ?? '');

/** Whether the analysis calls the vulnerability no problem of the product: then it makes no finding. */
export const isSettled = (vulnerability: JsonObject): boolean =>
  ['not_affected', 'fixed'].includes(statusOf(vulnerability) ?? '');

/** The statement of a vulnerability whose analysis has a state. */
export function statementOf(bom: Bom, vulnerability: JsonObject): Statement | undefined {
  const [id, status] = [textAt(vulnerability, 'id'), statusOf(vulnerability)];
  if (id === undefined || status === undefined) return undefined;
  const [state, justification, detail] = ['state', 'justification', 'detail'].map((part) =>
    textAt(vulnerability, 'analysis', part),
  );
  const at = textAt(vulnerability, 'analysis', 'lastUpdated') ?? textAt(vulnerability, 'analysis', 'firstIssued');
  return {
    vulnerabilities: [id, ...listAt(vulnerability, 'references').flatMap((reference) => textsAt(reference, 'id'))],
    status,
    products: productsOf(bom, vulnerability),
    reason: [justification ?? state, detail].filter(Boolean).join(': '),
    at: timeOf(at) ?? timeOf(textAt(bom.metadata, 'timestamp')),
  };
}

/** The affected components; of those with versions only the versions that the analysis may be about. */
const productsOf = (bom: Bom, vulnerability: JsonObject): StatedProduct[] =>
  listAt(vulnerability, 'affects').flatMap((target) => {
    const ref = textAt(target, 'ref');
    if (ref === undefined) return [];
    const { name, version, purl } = componentAt(bom, ref);
    const product: StatedProduct = { name, version, purl, ...(ref === bom.subject && { isSubject: true }) };
    const versions = listAt(target, 'versions').filter((one) => isAbout(one, vulnerability));
    if (listAt(target, 'versions').length === 0) return [product];
    return versions.flatMap((one) => textsAt(one, 'version')).map((one) => ({ ...product, version: one }));
  });

/** Ranges are not compared: no finding is within them. */
const isAbout = (version: unknown, vulnerability: JsonObject): boolean =>
  (textAt(version, 'status') === 'affected') !== isSettled(vulnerability);

/**
 * The document of the statements. The next one about the same subject is its next version: many tools give each document a
 * serial number of its own.
 */
export function documentOf({ components, subject, root, metadata, tools }: Bom): ReportEvent {
  const makers = [...listAt(metadata, 'authors'), ...MAKERS.map((member) => fieldAt(metadata, member))];
  const [author] = makers.flatMap((one) => textsAt(one, 'name'));
  const [tool = ''] = tools.flatMap((one) => textsAt(one, 'name'));
  const { version } = root;
  return documentEvent({
    id: components.get(subject ?? '')?.name ?? textAt(root, 'serialNumber') ?? '',
    author: author ?? tool,
    ...(author === undefined && { isTool: true }),
    at: timeOf(textAt(metadata, 'timestamp')),
    version: typeof version === 'number' || typeof version === 'string' ? String(version) : undefined,
  });
}

const MAKERS = ['manufacturer', 'manufacture', 'supplier'];
