import type { Asset } from '#shared/assets/asset/asset.ts';
import type { StoredApplication } from '#shared/exposure/applications/application.ts';
import type { Service } from '#shared/reports/report/report.ts';
import type { StoredCredential } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import type { StoredVulnerability } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { type AssetExposure, type Edge, MAX_LISTED, type Node } from './routes.ts';

type Open = Pick<
  StoredVulnerability,
  'id' | 'key' | 'title' | 'severity' | 'status' | 'priority' | 'component' | 'epss' | 'kev'
>;

const nothing = { recordId: null, severity: null, status: null, priority: null };

type Linked = Pick<StoredApplication, 'id' | 'name' | 'criticality'>;
type Found = Pick<StoredCredential, 'id' | 'key' | 'kind' | 'masked' | 'account' | 'check'>;
type Known = {
  open: readonly Open[];
  credentials: readonly Found[];
  /** Those on which open findings report each vulnerability and each credential. */
  ports: ReadonlyMap<string, ReadonlySet<number>>;
  applications: readonly Linked[];
};

/** The internet, the services of an asset, and the vulnerabilities, credentials and applications to which they lead. Pure. */
export function exposureOf(asset: Asset, { open, credentials, ports, applications }: Known): AssetExposure {
  const { services = [], internetExposed = null } = asset;
  const shown = services.slice(0, MAX_LISTED.services);
  const edges = [
    ...(internetExposed ? shown.map(fromInternet) : []),
    ...open.flatMap((one) => leading(one, shown, ports.get(one.key) ?? NOWHERE)),
    ...credentials.flatMap((one) => toCredential(one, shown, ports.get(one.key) ?? NOWHERE)),
    ...applications.flatMap((one) => toApplication(one, asset, shown)),
  ];
  const nodes = [
    ...(internetExposed ? [internet] : []),
    assetNode(asset),
    ...shown.map(serviceNode),
    ...open.map(vulnerabilityNode),
    ...credentials.map(credentialNode),
    ...applications.map(applicationNode),
  ];
  return { assetId: asset.id, internetExposed, nodes, edges, truncated: services.length > shown.length };
}

const NOWHERE: ReadonlySet<number> = new Set();

const internet: Node = { ...nothing, id: 'internet', kind: 'internet', text: 'The internet.' };

const assetNode = ({ id, name, internetExposed }: Asset): Node => ({
  ...nothing,
  id: 'asset',
  kind: 'asset',
  recordId: id,
  text: internetExposed
    ? `${name} is reachable from the internet.`
    : `${name} is not known to be reachable from the internet.`,
});

const placeOf = ({ port, protocol }: Service): string => `${port}/${protocol}`;
const serviceId = (service: Service): string => `service:${placeOf(service)}:${service.service ?? ''}`;
const nameOf = ({ product, version, service }: Service): string =>
  product ? [product, version].filter(Boolean).join(' ') : (service ?? 'A service');

const serviceNode = (service: Service): Node => ({
  ...nothing,
  id: serviceId(service),
  kind: 'service',
  text: `${nameOf(service)} answers on ${placeOf(service)}.`,
});

const fromInternet = (service: Service): Edge => ({
  from: internet.id,
  to: serviceId(service),
  text: `The internet reaches ${placeOf(service)}.`,
});

function vulnerabilityNode({ id, title, severity, status, priority, epss, kev }: Open): Node {
  const chance = epss
    ? `, with a chance of ${Math.round(epss.probability * 100)} % to be exploited within 30 days`
    : '';
  const danger = kev ? ', which is known to be exploited' : chance;
  return {
    id: `vulnerability:${id}`,
    kind: 'vulnerability',
    recordId: id,
    severity,
    status,
    priority,
    text: `${title} is ${severity}${danger}.`,
  };
}

const credentialId = ({ id }: Found): string => `credential:${id}`;

function credentialNode(found: Found): Node {
  const account = found.account ? ` of ${found.account}` : '';
  const check = found.check?.verified ? ', and its last check succeeded' : '';
  const text = `A secret (${found.kind.replaceAll('_', ' ')}${found.masked ? `, ${found.masked}` : ''})${account} is exposed${check}.`;
  return { ...nothing, id: credentialId(found), kind: 'credential', recordId: found.id, text };
}

/** From the services on the port of the finding, otherwise from the asset. */
function toCredential(found: Found, services: readonly Service[], ports: ReadonlySet<number>): Edge[] {
  const to = credentialId(found);
  const behind = services.filter(({ port }) => ports.has(port));
  if (behind.length === 0)
    return [{ from: 'asset', to, text: 'It was found on the asset, behind no service that is known.' }];
  return behind.map((service) => ({
    from: serviceId(service),
    to,
    text: `A finding reports it on ${placeOf(service)}.`,
  }));
}

const applicationId = ({ id }: Linked): string => `application:${id}`;

const applicationNode = (application: Linked): Node => ({
  ...nothing,
  id: applicationId(application),
  kind: 'application',
  recordId: application.id,
  text: `${application.name} is an application of ${application.criticality} criticality.`,
});

/** From the services that the internet reaches, otherwise from the asset. */
function toApplication(application: Linked, asset: Asset, services: readonly Service[]): Edge[] {
  const [to, { name }] = [applicationId(application), application];
  if (!asset.internetExposed || services.length === 0)
    return [{ from: 'asset', to, text: `${asset.name} is part of ${name}.` }];
  return services.map((service) => ({
    from: serviceId(service),
    to,
    text: `${placeOf(service)} is a way to ${name}, of which ${asset.name} is part.`,
  }));
}

/** From the services on the port or with the product of the finding, otherwise from the asset. */
function leading({ id, title, component }: Open, services: readonly Service[], ports: ReadonlySet<number>): Edge[] {
  const to = `vulnerability:${id}`;
  const edges = services.flatMap((service): Edge[] => {
    const from = serviceId(service);
    if (ports.has(service.port)) return [{ from, to, text: `A finding reports ${title} on ${placeOf(service)}.` }];
    const isPart = component && service.product && wordsOf(service.product).includes(component.name.toLowerCase());
    return isPart
      ? [{ from, to, text: `${nameOf(service)} on ${placeOf(service)} is or runs ${component.name}.` }]
      : [];
  });
  return edges.length > 0
    ? edges
    : [{ from: 'asset', to, text: `${title} is on the asset, behind no service that is known.` }];
}

const wordsOf = (product: string): string[] => {
  const name = product.toLowerCase();
  return [name, ...name.split(/[\s/]+/)];
};
