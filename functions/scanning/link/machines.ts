import { type ApexAppliance, type ApexDataSource, apexAppliances } from '#shared/apex/apex-appliance.ts';
import { apexMachines } from '#shared/apex/presence.ts';
import { TASK_TYPES } from '#shared/assets/targets/scan-target.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { OperatingSystem } from '#shared/reports/report/report.ts';
import { type Agent, agents, type LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { markMachineStale } from '#shared/scanning/machines/machines.ts';
import { knownTaskTypes, type Scanner, type ScannerDataSource, scanners } from '#shared/scanning/scanners/scanner.ts';
import { type KnownVersions, versionStatusOf } from '#shared/scanning/scanners/versions.ts';
import { type Integrator, type IntegratorDataSource, integrators } from '#shared/soc/incidents/integrator.ts';
import { integratorMachines } from '#shared/soc/incidents/integrators.ts';
import { type Collector, type CollectorDataSource, collectors } from '#shared/soc/siem/collector.ts';
import { collectorMachines } from '#shared/soc/siem/collectors.ts';
import type { Linkable } from './link-machine.ts';

type About = { version?: string | null; platform?: string | null; hostname?: string | null };

const about = ({ version = null, platform = null, hostname = null }: About) => ({
  softwareVersion: version,
  platform,
  hostname,
});

const neverSeen = { status: 'never_connected', lastSeenAt: null } as const;
const untouched = { enabled: true, tags: [] };

type LinkCall = { remoteAddress: string; versions: KnownVersions };

export function scannerOf(body: ScannerDataSource, { remoteAddress, versions }: LinkCall): Linkable<Scanner> {
  const { version = null, taskTypes, tools = [] } = body;
  const says = { ...about(body), versionStatus: versionStatusOf(version, versions), tools, remoteAddress };
  const can = { supportedTaskTypes: knownTaskTypes(taskTypes) };
  return {
    kind: 'scanner',
    entity: scanners,
    onRenewed: (table, id) => markMachineStale(scannerMachines, table, id),
    renewed: (moved) => ({ ...says, ...can, ...moved }),
    draft: (placed) => ({
      ...placed,
      ...says,
      ...can,
      ...neverSeen,
      ...untouched,
      taskTypes: [...TASK_TYPES],
      capacity: null,
      maintenanceUntil: null,
      notes: null,
      runningTasks: 0,
      firstSeenAt: null,
      lastError: null,
    }),
  };
}

export function apexOf(body: ApexDataSource): Linkable<ApexAppliance> {
  const { taskTypes = [], capacity = null } = body;
  const says = { ...about(body), taskTypes };
  return {
    kind: 'apex',
    entity: apexAppliances,
    onRenewed: (table, id) => markMachineStale(apexMachines, table, id),
    renewed: (moved) => ({ ...says, ...moved }),
    draft: (placed) => ({
      ...placed,
      ...says,
      ...neverSeen,
      ...untouched,
      public: false,
      capacity,
      maintenanceUntil: null,
      notes: null,
    }),
  };
}

/** @param family of the route, where it is for one system only */
export function agentOf(body: Agent, family?: OperatingSystem['family']): Linkable<LinkedAgent> {
  const { machineId, addresses, macs, cloud, tags } = body;
  const says = { ...about(body), os: systemOf(body, family), machineId, addresses, macs, cloud };
  return {
    kind: 'agent',
    entity: agents,
    onRenewed: (table, id) => markMachineStale(agentMachines, table, id),
    renewed: (moved) => ({ ...says, ...moved }),
    draft: (placed) => ({
      ...placed,
      ...says,
      ...neverSeen,
      enabled: true,
      tags,
      reportIntervalSeconds: 60,
      assetId: null,
    }),
  };
}

function systemOf({ os }: Agent, family: OperatingSystem['family'] | undefined): LinkedAgent['os'] {
  if (family && os?.family && os.family !== family)
    throw invalid('os.family', `is ${os.family}, and this operation links ${family} agents`);
  const known = family ?? os?.family;
  if (os && !known) throw invalid('os.family', 'is required with os');
  return known ? { ...os, family: known } : null;
}

export const collectorOf = (body: CollectorDataSource): Linkable<Collector> => ({
  kind: 'collector',
  entity: collectors,
  onRenewed: (table, id) => markMachineStale(collectorMachines, table, id),
  renewed: (moved) => ({ ...about(body), ...moved }),
  draft: (placed) => ({ ...placed, ...about(body), ...neverSeen, ...untouched }),
});

export const integratorOf = (body: IntegratorDataSource): Linkable<Integrator> => ({
  kind: 'integrator',
  entity: integrators,
  onRenewed: (table, id) => markMachineStale(integratorMachines, table, id),
  renewed: (moved) => ({ ...about(body), ...moved }),
  draft: (placed) => ({ ...placed, ...about(body), ...neverSeen, ...untouched }),
});
