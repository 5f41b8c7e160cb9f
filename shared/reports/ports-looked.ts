import type { Extent, MissingFinding } from './report.ts';

/** Whether a scan of these ports would have found a finding again: one on another port was not looked for. */
export function isPortLookedFor({ ports = [] }: Extent, { location }: MissingFinding): boolean {
  const [, port, protocol] = /:(\d+)\/(\w+)$/.exec(location) ?? [];
  if (port === undefined) return true;
  return ports.some((one) => one.protocol === protocol && one.from <= Number(port) && Number(port) <= one.to);
}
