/** Short names that are written in capitals. */
const CAPITALS = ['api', 'arn', 'cidr', 'cve', 'dns', 'fqdn', 'ip', 'sbom', 'ssh', 'url'];

/** A value of the service as a person reads it: `container_image` is "Container image". Values that need other words have a text of their own. */
export function nameOf(value: string): string {
  const words = value.split(/[_ ]/).map((word) => (CAPITALS.includes(word) ? word.toUpperCase() : word));
  const name = words.join(' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The tool of what people wrote, as the service calls it. */
const MANUAL = 'manual';

export const isManual = (tool: string): boolean => tool === MANUAL;

export const toolOf = (tool: string): string => (isManual(tool) ? 'a person' : tool);

/** The identifier of a control with its title, which may end with the identifier. */
export const controlName = ({ control, title }: { control: string; title: string }): string =>
  title.endsWith(`: ${control}`) ? title : `${control} ${title}`;
