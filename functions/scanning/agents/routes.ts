import * as z from 'zod';
import { AssetsOfSystem } from '#shared/assets/asset/assets-of-system.ts';
import { adminOf, reads } from '#shared/platform/auth/access.ts';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { Listing, Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, objectNamed, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { ValueCount } from '#shared/platform/http/value-counts.ts';
import { OperatingSystem, Software } from '#shared/reports/report/report.ts';
import { AgentReport, AgentUpdate, LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { RESOLUTIONS } from '#shared/scanning/agents/retention.ts';
import { countedStatus } from '#shared/scanning/machines/machine.ts';

export const AGENTS = '/api/v1/security-operations/telemetry/agents';
const admin = adminOf('assets');
const base = AGENTS;

export const AgentReportAnswer = objectNamed('AgentReportAnswer', {
  assetId: Id.nullable().meta({ description: "the asset of the agent's host" }),
  accepted: z.object({ samples: z.int().nonnegative(), software: z.int().nonnegative() }),
  softwareWanted: z.boolean().meta({ description: 'the software on the host is unknown: send the whole list' }),
  nextReportSeconds: z.int().positive(),
});
export type AgentReportAnswer = z.infer<typeof AgentReportAnswer>;

const percent = z.number().min(0).max(100).nullable();
const bytes = z.int().nonnegative().nullable();

export const ResourceHistory = objectNamed('AgentResourceHistory', {
  agentId: Id,
  resolution: z.enum(RESOLUTIONS),
  points: z.array(
    z.object({
      at: Timestamp.meta({ description: 'start of the time that the point covers' }),
      cpuPercent: z.object({ avg: percent, max: percent }),
      memoryPercent: percent,
      diskPercent: percent,
      rxBytes: bytes,
      txBytes: bytes,
    }),
  ),
});
export type ResourceHistory = z.infer<typeof ResourceHistory>;

export const agentRoutes = defineRoutes({
  reportAgent: post('/api/v1/agent/report', {
    summary: 'Send a report: the host, its software and its use of resources',
    description:
      'An absent field means no change. Report again after `nextReportSeconds` with the new samples, and with the software if it ' +
      'has changed or if `softwareWanted` is true. If an answer was lost, send the same report again: no sample is stored twice. ' +
      'Samples older than two days are ignored. The host becomes an asset of the type `host` with its name and zone. Reports of a ' +
      'disabled agent are not stored.',
    access: { machines: ['agent'], draining: true },
    maxBody: MAX_REPORT_BYTES,
    body: AgentReport,
    lenient: true,
    poll: true,
    response: AgentReportAnswer,
  }),
  listOperatingSystems: get('/api/v1/operating_systems', {
    operation: 'Operating Systems',
    summary: 'List the operating systems of the assets, most frequent first',
    description:
      'Assets with an unknown operating system are not counted. Systems differ by family, name and version, not by build and ' +
      'architecture. The answer is the whole list, without pages.',
    access: reads('assets:read'),
    response: z.array(AssetsOfSystem),
  }),
  listAgents: get(base, {
    operation: 'List Agents',
    summary: 'List agents, newest first',
    description:
      '`status` is current; the counts by status follow within minutes. `instanceId` is null unless you are an administrator.',
    access: reads('assets:read'),
    query: Listing.extend({
      status: countedStatus,
      os: z.string().min(1).max(300).optional().meta({ description: 'such as `linux|Ubuntu|24.04`' }),
    }),
    response: pageOf(LinkedAgent),
  }),
  searchAgents: get(`${base}/search`, {
    operation: 'Search Agents',
    summary: 'Search agents by the words of name, host name, zone, tags and addresses',
    description:
      'An address is one word: `10.0.3` finds 10.0.3.7, and 10.0.31.7 too. Only the first 12 words of an agent count, in the order ' +
      'of the summary, so the search does not find every address of a host with many addresses.',
    access: reads('assets:read'),
    query: SearchQuery,
    response: searchPageOf(LinkedAgent),
  }),
  countAgentsByStatus: get(`${base}/status`, {
    operation: 'agent telemetry status',
    summary: 'Count agents by status',
    description: 'An agent that stops reporting is counted as offline within minutes.',
    access: reads('assets:read'),
    response: z.array(ValueCount),
  }),
  listAgentOperatingSystems: get(`${base}/operating_systems`, {
    operation: 'Operating Systems (agents)',
    summary: 'List the operating systems of the agents, most frequent first',
    description:
      'Agents with an unknown operating system are not counted. Systems differ by family, name and version, not by build and ' +
      'architecture. The answer is the whole list, without pages.',
    access: reads('assets:read'),
    response: z.array(OperatingSystem.extend({ agents: z.int().nonnegative(), ...figureLinks })),
  }),
  getAgentResources: get(`${base}/resources/{id}`, {
    operation: 'Resource History',
    summary: "Read the resource history of an agent's host, oldest first",
    description:
      'Without `from` and `to` the answer covers the last day. History is kept for 2 days per minute, 30 days per hour and 400 ' +
      'days per day (UTC). `auto` chooses the finest resolution that covers the time with at most about 400 points. Bytes are ' +
      'sums; memory and disk are means. A time without samples has no point.',
    access: reads('assets:read'),
    query: z.object({
      from: Timestamp.optional(),
      to: Timestamp.optional(),
      resolution: z.enum([...RESOLUTIONS, 'auto']).default('auto'),
    }),
    response: ResourceHistory,
  }),
  listAgentSoftware: get(`${base}/software/{id}`, {
    summary: 'List the software on the host of an agent, by name',
    description:
      '`id` is the id of the agent. The list is empty until the agent has reported its software. Upper case sorts before lower case.',
    access: reads('assets:read'),
    query: Pagination,
    response: pageOf(Software),
  }),
  getAgent: get(`${base}/{id}`, {
    operation: 'Get Agent',
    summary: 'Read an agent',
    description: '`status` is current. `assetId` is null until the first report has created the asset of the host.',
    access: reads('assets:read'),
    response: LinkedAgent,
  }),
  updateAgent: patch(`${base}/{id}`, {
    operation: 'Update Agent',
    summary: 'Change the settings of an agent',
    description:
      'With `enabled: false` the reports of the agent are not stored, its access tokens end within a minute, and it cannot rotate ' +
      'its secret. After a change of the zone, the next report creates another asset for the host.',
    access: admin,
    body: patchBody(LinkedAgent, AgentUpdate),
    response: LinkedAgent,
  }),
  deleteAgent: remove(`${base}/{id}`, {
    operation: 'Delete Agent',
    summary: 'Remove an agent',
    description: "The agent's credential is revoked within a minute. The asset of its host stays.",
    access: admin,
    response: Deletion,
  }),
});
