import { childOf, childrenOf, type XmlElement } from '../../readers/xml.ts';
import { type ExposedService, exposedServices } from './exposed-services.ts';

/** The signs that Nmap gives of an open port, in lower case. */
type Signs = {
  service: string;
  product: string;
  port: string;
  scripts: ReadonlyMap<string, string>;
  isProbed: boolean;
  isEncrypted: boolean;
};

/** The rating of an open port; undefined: nothing is known against its service. */
export type Exposure = ExposedService & {
  /** Nmap did not identify the service: only the port number names it. */
  byNumber: boolean;
};

export function exposureOf(port: XmlElement): Exposure | undefined {
  const signs = signsOf(port);
  const worst = exposedServices.find((exposed) => fits(exposed, signs));
  return worst && { ...worst, byNumber: !signs.isProbed && !saysSo(worst, signs) };
}

function signsOf(port: XmlElement): Signs {
  const { name = '', product = '', method, tunnel } = childOf(port, 'service')?.attributes ?? {};
  return {
    service: name.toLowerCase(),
    product: product.toLowerCase(),
    port: `${port.attributes.portid}/${port.attributes.protocol}`,
    scripts: new Map(
      childrenOf(port, 'script').map(({ attributes: { id = '', output = '' } }) => [id, output.trim().toLowerCase()]),
    ),
    isProbed: method === 'probed',
    isEncrypted: tunnel === 'ssl',
  };
}

function fits(exposed: ExposedService, signs: Signs): boolean {
  const { services, products, ports, clearText = false } = exposed;
  if (clearText && signs.isEncrypted) return false;
  return (
    listed(services).includes(signs.service) ||
    listed(products).some((product) => signs.product.startsWith(product)) ||
    (!signs.isProbed && listed(ports).includes(signs.port)) ||
    saysSo(exposed, signs)
  );
}

const lists = new Map<string, string[]>();

/** The signs of a list, which is split once. */
function listed(signs: string | undefined): string[] {
  if (signs === undefined) return [];
  const known = lists.get(signs) ?? signs.split(', ');
  lists.set(signs, known);
  return known;
}

const saysSo = ({ scripts, says = '' }: ExposedService, signs: Signs): boolean =>
  listed(scripts).some((id) => {
    const output = signs.scripts.get(id) ?? '';
    return output !== '' && !output.startsWith('error') && listed(says).some((text) => output.includes(text));
  });
