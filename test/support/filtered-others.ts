import * as fc from 'fast-check';
import { identities, type StoredIdentity } from '#shared/assets/identity/identity.ts';
import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import { applications, type StoredApplication } from '#shared/exposure/applications/application.ts';
import { type ImportedReport, importedReports } from '#shared/ingest/imported-report.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { alerts, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { incidents, type StoredIncident } from '#shared/soc/incidents/incident.ts';
import { type StoredTicket, tickets } from '#shared/ticketing/ticket.ts';
import {
  exposedCredentials,
  type StoredCredential,
} from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';

import { assetOf, maybe, of, orNull, records, severity, tags, time, zone } from './random-records.ts';

/** All other records of the index. */
export const OTHERS = {
  alert: records<StoredAlert, never>(alerts as never, {
    list: 'listAlerts',
    draft: (ids) =>
      fc.record({
        title: of('Encoded PowerShell', 'odd login'),
        description: fc.constant(null),
        severity,
        source: fc.record({
          ...{ kind: of('siem', 'edr', 'manual'), ruleId: of(null, 'brute-force', 'Other') },
          ...{ ruleName: fc.constant(null), collectorId: fc.constant(null) },
        }),
        status: of('new', 'acknowledged', 'resolved', 'false_positive'),
        attackTechniques: fc.subarray(['T1059.001', 'T1059', 'T1486']),
        entities: fc.array(
          fc.record({ type: of('user', 'host'), value: of('Alice', 'bob'), assetId: orNull(of(...ids.some)) }),
          { maxLength: 3 },
        ),
        ...{ dedupKey: fc.constant(null), eventCount: fc.constant(1), firstEventAt: time, lastEventAt: time },
        assigneeId: orNull(of(...ids.people, ...ids.teams)),
        ...{ assignee: fc.constant(null), incidentId: orNull(of(...ids.some)), acknowledgedAt: fc.constant(null) },
        ...{ resolvedAt: fc.constant(null), resolution: fc.constant(null), reopenedAt: fc.constant(null) },
        reopenedCount: fc.constant(0),
      }),
    values: {
      status: ({ status }) => status,
      severity: (one) => one.severity,
      source: ({ source }) => source.kind,
      rule: ({ source }) => source.ruleId,
      technique: ({ attackTechniques }) => attackTechniques.flatMap((id) => [id, id.slice(0, 5)]),
      'asset.id': ({ entities }) => entities.flatMap(({ assetId }) => assetId ?? []),
      user: ({ entities }) => entities.flatMap(({ type, value }) => (type === 'user' ? value : [])),
      assignee: ({ assigneeId }) => assigneeId,
      team: ({ assigneeId }) => assigneeId,
      incident: ({ incidentId }) => incidentId,
      created: ({ createdAt }) => createdAt,
      text: ({ title }) => title,
    },
  }),
  incident: records<StoredIncident, never>(incidents as never, {
    list: 'listIncidents',
    draft: (ids) =>
      fc.record({
        title: of('Web shell on the shop', 'stolen laptop'),
        ...{ description: fc.constant(null), summary: fc.constant(null), lessons: fc.constant(null) },
        severity,
        status: of('open', 'contained', 'closed'),
        assigneeId: orNull(of(...ids.people, ...ids.teams)),
        ...{ assignee: fc.constant(null), memberIds: fc.subarray([...ids.people]), detectedAt: time },
        ...{ acknowledgedAt: fc.constant(null), containedAt: fc.constant(null), closedAt: fc.constant(null) },
        ...{ reopenedAt: fc.constant(null), reopenedCount: fc.constant(0) },
      }),
    values: {
      status: ({ status }) => status,
      severity: (one) => one.severity,
      assignee: ({ assigneeId }) => assigneeId,
      team: ({ assigneeId }) => assigneeId,
      member: ({ memberIds }) => memberIds,
      detected: ({ detectedAt }) => detectedAt,
      text: ({ title }) => title,
    },
  }),
  'exposed-credential': records<StoredCredential, never>(exposedCredentials as never, {
    list: 'listExposedCredentials',
    draft: (ids) =>
      fc
        .record({
          kind: of('password', 'api_key'),
          masked: maybe(of('AK**')),
          account: maybe(of('Alice', 'bob')),
          sources: fc.subarray(['scanner', 'breach'], { minLength: 1 }),
          tools: fc.subarray(['Gitleaks', 'hibp'], { minLength: 1 }),
          status: of('active', 'rotated', 'revoked', 'false_positive'),
          check: maybe(fc.record({ at: time, verified: fc.boolean() })),
          ...{ places: fc.constant(1), openPlaces: fc.constant(1), said: fc.constant([]) },
          assets: fc.uniqueArray(assetOf(ids), { maxLength: 2, selector: ({ id }) => id }),
          ...{ firstSeenAt: time, endedAt: maybe(time) },
        })
        .map((one) => ({ ...one, key: newId() })),
    values: {
      status: ({ status }) => status,
      kind: ({ kind }) => kind,
      source: ({ sources }) => sources,
      tool: ({ tools }) => tools,
      verified: ({ check }) => String(check?.verified ?? 'unknown'),
      'asset.id': ({ assets }) => assets.map(({ id }) => id),
      account: ({ account }) => account,
      rotated: ({ status, endedAt }) => (status === 'rotated' ? endedAt : null),
      text: ({ account }) => account,
    },
  }),
  identity: records<StoredIdentity, never>(identities, {
    list: 'listIdentities',
    draft: ({ some }) =>
      fc
        .record({
          ...{ integratorId: of(...some), externalId: fc.constant('x'), source: of('Entra', 'okta') },
          ...{ kind: of('person', 'service'), names: fc.subarray(['Alice', 'alice@Example.com'], { minLength: 1 }) },
          ...{ displayName: of(null, 'Alice Doe'), status: of('active', 'disabled', 'deleted') },
          ...{ isPrivileged: of(null, true, false), hasMfa: of(null, true, false) },
          ...{ passwordChangedAt: fc.constant(null), lastSignInAt: fc.constant(null), firstSeenAt: time },
        })
        .map((one) => ({ ...one, key: newId() })),
    values: {
      status: ({ status }) => status,
      kind: ({ kind }) => kind,
      source: ({ source }) => source,
      name: ({ names }) => names,
      privileged: ({ isPrivileged }) => String(isPrivileged ?? 'unknown'),
      mfa: ({ hasMfa }) => String(hasMfa ?? 'unknown'),
      text: ({ names }) => names,
    },
  }),
  repository: records<Repository, never>(repositories, {
    list: 'listRepositories',
    isHidden: ({ status }) => status === 'deleted',
    draft: ({ some }) =>
      fc
        .record({
          ...{ vendor: of('codehost_a', 'codehost_b'), integrationId: of(...some), host: fc.constant('git.example') },
          ...{ assetId: of(...some), fullName: of('acme/shop', 'acme/old-till'), name: of('shop', 'old-till') },
          ...{ url: fc.constant('https://git.example'), description: of(null, 'the till'), defaultBranch: of('main') },
          ...{ visibility: of('private'), archived: fc.boolean(), language: of(null), topics: fc.subarray(['pay']) },
          ...{
            pushedAt: of(null),
            factsAt: time,
            scanPolicy: of({}),
            syncedAt: of(null),
            status: of('active', 'archived', 'deleted'),
          },
        })
        .map((one) => ({ ...one, externalId: newId() })),
    values: {
      vendor: ({ vendor }) => vendor,
      status: ({ status }) => status,
      archived: ({ archived }) => archived,
      integration: ({ integrationId }) => integrationId,
      'asset.id': ({ assetId }) => assetId,
      text: ({ name }) => name,
    },
  }),
  import: records<ImportedReport, never>(importedReports, {
    list: 'listImports',
    draft: () =>
      fc
        .record({
          ...{ status: of('succeeded', 'failed', 'undone'), source: of('import'), format: of('generic') },
          ...{ tools: fc.subarray(['Trivy', 'semgrep', 'Nmap']), target: of(null), zone, ref: of(null) },
          ...{ commit: of(null), scanType: of(null), engagementId: of(null), scannerTaskId: of(null), runId: of(null) },
          ...{ receivedAt: time, held: of(null, { count: 2 }), error: of(null), undone: of(null) },
          counts: of({ created: 0, updated: 0, unchanged: 0, closed: 0, reopened: 0, rejected: 0 }),
          bySeverity: of(changesIn({})),
        })
        .map((one) => ({ ...one, taskId: newId() })),
    values: {
      status: ({ status }) => status,
      tool: ({ tools }) => tools,
      held: ({ held }) => Boolean(held),
    },
  }),
  ticket: records<StoredTicket, never>(tickets, {
    list: 'listTickets',
    draft: ({ some }) =>
      fc
        .record({
          ...{ connectionId: of(...some), ruleId: orNull(of(...some)), title: of('repair the shop', 'rotate it') },
          subject: fc.record({ type: of('finding'), id: of(...some) }),
          ...{
            severity,
            status: of('pending', 'open', 'in_progress', 'done', 'missing'),
            issueKey: of(null, 'SEC-12'),
          },
          ...{ issueStatus: of(null), url: of(null), assignee: of(null), subjectStatus: of('open') },
          ...{ awaitsProof: of(false), project: of('SEC', 'OPS'), issueType: of('Bug'), resolvedAt: orNull(time) },
          ...{ syncedAt: of(null), error: of(null, { code: 'x', message: 'x', at: now() }), taskId: of(null) },
          ...{ issueId: of(null), attemptedAt: of(null), issueUpdatedAt: of(null), toldCount: of(0) },
          template: of({ labels: [], priorities: {}, fields: {} }),
        })
        .map((one) => ({ ...one, key: newId() })),
    values: {
      status: ({ status }) => status,
      project: ({ project }) => project,
      connection: ({ connectionId }) => connectionId,
      rule: ({ ruleId }) => ruleId,
      subject: ({ subject }) => subject.id,
      severity: (one) => one.severity,
      created: ({ createdAt }) => createdAt,
      resolved: ({ resolvedAt }) => resolvedAt,
      failing: ({ error }) => Boolean(error),
      text: ({ title }) => title,
    },
  }),
  engagement: records<Engagement, never>(engagements as never, {
    list: 'listEngagements',
    draft: (ids) =>
      fc.record({
        ...{ title: of('Monthly scan', 'red team'), description: of(null), kind: of('web_scan', 'red_team') },
        ...{ targets: of([{ type: 'host', value: 'shop.example.com', zone: null }]), exclusions: of([]) },
        ...{ taskTypes: of([]), parameters: of({}), scannerGroupId: orNull(of(...ids.some)), credentialIds: of([]) },
        ...{ publicScannerGroupId: of(null), schedule: of({ type: 'once' }), windows: of([]), intensity: of('normal') },
        ...{ rulesOfEngagement: of({}), leadId: orNull(of(...ids.people)), memberIds: of([]), retestOf: of(null) },
        ...{ dueAt: orNull(time), tags, status: of('requested', 'rejected', 'completed'), statusReason: of(null) },
        ...{ requestedBy: of({ id: 'x', name: 'x' }), nextRunAt: of(null), runs: of(0), lastRun: of(null) },
        ...{ wakeAt: of(null), startedAt: of(null), completedAt: of(null) },
      }),
    values: {
      status: ({ status }) => status,
      kind: ({ kind }) => kind,
      lead: ({ leadId }) => leadId,
      tag: (one) => one.tags,
      scannerGroup: ({ scannerGroupId }) => scannerGroupId,
      due: ({ dueAt }) => dueAt,
      text: ({ title }) => title,
    },
  }),
  application: records<StoredApplication, never>(applications, {
    list: 'listApplications',
    draft: (ids) =>
      fc
        .record({
          ...{
            description: of(null),
            criticality: of('low', 'critical'),
            memberIds: fc.subarray([...ids.people]),
            tags,
          },
          ...{ ownerId: orNull(of(...ids.people, ...ids.teams)), internetExposed: of(null, true, false) },
          ...{ dataClassification: of(null, 'Secret', 'public'), environments: of([]) },
        })
        .map((one) => ({ ...one, name: `shop ${newId()}` })),
    values: {
      criticality: ({ criticality }) => criticality,
      internetExposed: ({ internetExposed }) => String(internetExposed ?? 'unknown'),
      owner: ({ ownerId }) => ownerId,
      team: ({ ownerId }) => ownerId,
      member: ({ memberIds }) => memberIds,
      tag: (one) => one.tags,
      dataClassification: ({ dataClassification }) => dataClassification,
      text: ({ name }) => name,
    },
  }),
  'scanner-task': records<ScannerTask, never>(scannerTasks, {
    list: 'listScannerTasks',
    draft: ({ some }) =>
      fc.record({
        ...{ type: of('network', 'web', 'tls'), parameters: of({}), zone },
        target: of(
          { type: 'host', value: 'shop.example.com', zone: null },
          { type: 'host', value: 'web-1', zone: null },
        ),
        ...{ scannerGroupId: orNull(of(...some)), publicScannerGroupId: of(undefined, some[0]) },
        ...{ status: of('pending', 'running', 'completed', 'failed', 'cancelled'), attempt: of(1), maxAttempts: of(3) },
        ...{ scanner: of(null), engagementId: orNull(of(...some)), runId: of(null), progress: of(null) },
        ...{ leaseExpiresAt: of(null), cancelRequestedAt: of(null), startedAt: of(null), finishedAt: of(null) },
        ...{ error: of(null), ingestTaskId: of(null), ingestTaskIds: of([]) },
      }),
    values: {
      status: ({ status }) => status,
      type: ({ type }) => type,
      zone: (one) => one.zone,
      engagement: ({ engagementId }) => engagementId,
      scannerGroup: ({ scannerGroupId, publicScannerGroupId }) => publicScannerGroupId ?? scannerGroupId,
      created: ({ createdAt }) => createdAt,
      text: ({ target }) => target.value,
    },
  }),
};
