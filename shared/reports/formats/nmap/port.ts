import type { FindingDraft } from '../../readers/finding.ts';
import type { ServiceDraft } from '../../readers/inventories.ts';
import { childOf, childrenOf, type XmlElement } from '../../readers/xml.ts';
import type { ReportEvidence } from '../../report/report.ts';
import { type Exposure, exposureOf } from './exposure.ts';
import { OPEN_PORT_RULE } from './proof.ts';
import { isVulnerabilityScript, scriptFindings } from './script.ts';

/** The service on an open port. */
export function serviceOf(port: XmlElement): ServiceDraft[] {
  const { portid, protocol } = port.attributes;
  if (!protocol || childOf(port, 'state')?.attributes.state !== 'open' || !/^\d{1,5}$/.test(portid ?? '')) return [];
  const service = childOf(port, 'service');
  const { name, product, version } = service?.attributes ?? {};
  const cpes = childrenOf(service, 'cpe').map((cpe) => cpe.text.trim());
  const cpe = cpes.find((one) => one.startsWith('cpe:/a:')) ?? cpes[0];
  return [{ port: Number(portid), protocol, service: name === 'unknown' ? undefined : name, product, version, cpe }];
}

/** The findings of one port, none when it is not open; undefined when the entry cannot be used. */
export function portFindings(host: string, port: XmlElement): { drafts: FindingDraft[] } | undefined {
  const number = Number(port.attributes.portid);
  const protocol = port.attributes.protocol;
  if (!protocol || !port.attributes.portid || !Number.isInteger(number) || number < 0 || number > 65535)
    return undefined;
  if (childOf(port, 'state')?.attributes.state !== 'open') return { drafts: [] };
  const scripts = childrenOf(port, 'script');
  const place = { host, port: number, protocol, product: productOf(childOf(port, 'service')) };
  return { drafts: [openPort(place, port), ...scripts.flatMap((script) => scriptFindings(place, script))] };
}

type OpenPort = { host: string; port: number; protocol: string; product: string };

function openPort({ host, port, protocol, product }: OpenPort, element: XmlElement): FindingDraft {
  const service = childOf(element, 'service');
  const cpes = childrenOf(service, 'cpe').map((cpe) => cpe.text.trim());
  const name = service?.attributes.name === 'unknown' ? undefined : service?.attributes.name;
  const runs = [name && `Service: ${name}${service?.attributes.tunnel ? ` over ${service.attributes.tunnel}` : ''}`];
  const exposure = exposureOf(element);
  const described = [...runs, product && `Product: ${product}`, service?.attributes.extrainfo, ...cpes];
  return {
    title: titleOf(`${port}/${protocol}`, product || name, exposure),
    description: [...whyRated(exposure), ...described].filter((line) => line).join('\n'),
    severity: exposure?.severity ?? 'info',
    remediation: exposure?.remedy,
    ruleId: OPEN_PORT_RULE,
    asset: { type: 'host', value: host },
    location: { host, port, protocol },
    evidence: evidenceOf(element),
    tags: [...(name ? [`service:${name}`] : []), ...cpes],
    identity: [OPEN_PORT_RULE, `${port}/${protocol}`],
  };
}

const titleOf = (port: string, named: string | undefined, exposure: Exposure | undefined): string =>
  `Open port ${port}${named ? `: ${named}` : ''}${exposure ? ` (exposed: ${exposure.exposure})` : ''}`;

function whyRated(exposure: Exposure | undefined): string[] {
  if (!exposure) return [];
  const { severity, exposure: name, reason, byNumber } = exposure;
  const unsure = 'Nmap took the service from the number of the port: scan with -sV to be sure.';
  return [`Rated ${severity} (${name}): ${reason}`, ...(byNumber ? [unsure] : [])];
}

function productOf(service: XmlElement | undefined): string {
  return [service?.attributes.product, service?.attributes.version].filter((part) => part).join(' ');
}

function evidenceOf(port: XmlElement): ReportEvidence[] {
  return childrenOf(port, 'script')
    .filter((script) => !isVulnerabilityScript(script) && script.attributes.output?.trim())
    .map((script) => ({ kind: 'text', content: `${script.attributes.id}: ${script.attributes.output?.trim()}` }));
}
