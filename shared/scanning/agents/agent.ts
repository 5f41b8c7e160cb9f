import * as z from 'zod';
import { osMark, osTally } from '#shared/assets/asset/operating-system.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { OS_FAMILIES, Software } from '#shared/reports/report/report.ts';
import { linkFields, machineFeedFields, machineSettings, machineState } from '../machines/machine.ts';

const text = z.string().max(255).nullish();

const OsOfAgent = z.object({ family: z.enum(OS_FAMILIES), name: text, version: text, build: text, architecture: text });

/** The host that an agent describes. */
const host = {
  os: OsOfAgent.nullable().default(null),
  machineId: z.string().max(255).nullable().default(null),
  addresses: z.array(z.string().max(64)).max(256).default([]),
  macs: z.array(z.string().max(64)).max(256).default([]),
  cloud: z.object({ provider: text, accountId: text, instanceId: text }).nullable().default(null),
};

/** The body of an agent's link request: the agent and its host. */
export const Agent = objectNamed('Agent', {
  ...linkFields,
  ...host,
  os: OsOfAgent.partial({ family: true }).nullish(),
  tags: machineSettings.tags,
});
export type Agent = z.infer<typeof Agent>;

/** The settings of an agent that an operator may change. */
export const AgentUpdate = objectNamed('AgentUpdate', {
  ...machineSettings,
  enabled: machineSettings.enabled.meta({ description: 'false: reports of the agent are not stored' }),
  reportIntervalSeconds: z.int().min(10).max(86_400).default(60),
});

export const LinkedAgent = objectNamed('LinkedAgent', {
  ...recordFields,
  ...AgentUpdate.shape,
  ...machineState,
  os: readOnly(host.os),
  machineId: readOnly(host.machineId),
  addresses: readOnly(host.addresses),
  macs: readOnly(host.macs),
  cloud: readOnly(host.cloud),
  assetId: readOnly(Id.nullable()),
});
export type LinkedAgent = z.infer<typeof LinkedAgent>;

export const agents = defineEntity<LinkedAgent>(LinkedAgent, {
  name: 'agent',
  feedFields: machineFeedFields,
  facets: ({ status, os }) => count({ status, family: os?.family }),
  tallies: ({ zone, os }) => [{ facet: 'zone', value: zone }, ...osTally(os)],
  indexed: ({ status, os }) => ({ status, os: osMark(os) }),
  search: ({ name, hostname, zone, tags, addresses }) => [name, hostname, zone, ...tags, ...addresses],
  unique: ({ instanceId }) => ({ instanceId }),
});

/** A measurement of a host's resources. A value that the agent cannot measure is null or absent. */
const Sample = z.object({
  at: Timestamp,
  cpuPercent: z.number().nullish(),
  memoryPercent: z.number().nullish(),
  diskPercent: z.number().nullish(),
  rxBytes: z.number().nullish().meta({ description: 'bytes received since the previous sample' }),
  txBytes: z.number().nullish().meta({ description: 'bytes sent since the previous sample' }),
});
export type Sample = z.infer<typeof Sample>;

/** The report of an agent. An absent field means no change since the previous report. */
export const AgentReport = objectNamed('AgentReport', {
  version: linkFields.version,
  hostname: linkFields.hostname,
  os: OsOfAgent.partial({ family: true }).nullish(),
  addresses: Agent.shape.addresses.unwrap().optional(),
  macs: Agent.shape.macs.unwrap().optional(),
  cloud: Agent.shape.cloud.unwrap().optional(),
  software: z
    .array(Software)
    .max(10_000)
    .optional()
    .meta({ description: 'all installed software; send the list when it has changed' }),
  samples: z
    .array(Sample)
    .max(1_440)
    .optional()
    .meta({ description: 'samples of the last two days; sending a sample again changes nothing' }),
});
export type AgentReport = z.infer<typeof AgentReport>;
