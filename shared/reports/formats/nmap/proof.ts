import type { Extent, MissingFinding } from '../../report.ts';

/** The rule of what the port scan itself finds; all else on a port is found by scripts. */
export const OPEN_PORT_RULE = 'open-port';

/** A scan of other ports, or without scripts, finds less without anything being gone. */
export function wasLookedFor({ ports = [], scripts = false }: Extent, { location, ruleId }: MissingFinding): boolean {
  if (ruleId !== OPEN_PORT_RULE && !scripts) return false;
  const [, port, protocol] = /:(\d+)\/(\w+)$/.exec(location) ?? [];
  if (port === undefined) return true;
  return ports.some((one) => one.protocol === protocol && one.from <= Number(port) && Number(port) <= one.to);
}
