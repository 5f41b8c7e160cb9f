import type { Extent, MissingFinding, ReportEvent } from '../report/report.ts';

/** A scan of services that looked only at these TCP ports. */
export const lookedAt = (ports: ReadonlySet<number>): ReportEvent => ({
  kind: 'looked',
  ports: [...ports].map((port) => ({ protocol: 'tcp', from: port, to: port })),
});

/** Whether a scan of these ports would have found a finding again: not one on another port. */
export function isPortLookedFor({ ports = [] }: Extent, { location }: MissingFinding): boolean {
  const [, port, protocol] = /:(\d+)\/(\w+)$/.exec(location) ?? [];
  if (port === undefined) return true;
  return ports.some((one) => one.protocol === protocol && one.from <= Number(port) && Number(port) <= one.to);
}
