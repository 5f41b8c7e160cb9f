import type { Extent, MissingFinding } from '../../report.ts';

/** The rule of an open port, which the port scan itself finds. Scripts find all else on a port. */
export const OPEN_PORT_RULE = 'open-port';

/** A scan of other ports, or without scripts, finds less although nothing is gone. */
export function wasLookedFor({ ports = [], scripts = false }: Extent, { location, ruleId }: MissingFinding): boolean {
  if (ruleId !== OPEN_PORT_RULE && !scripts) return false;
  const [, port, protocol] = /:(\d+)\/(\w+)$/.exec(location) ?? [];
  if (port === undefined) return true;
  return ports.some((one) => one.protocol === protocol && one.from <= Number(port) && Number(port) <= one.to);
}
