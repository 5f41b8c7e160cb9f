import * as fc from 'fast-check';
import { type Asset, assets, seenAt, tagsOf } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { writtenOs } from '#shared/assets/asset/operating-system.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { weaknessesOf } from '#shared/findings/finding/finding-weaknesses.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import {
  acceptanceOfVulnerability,
  type StoredVulnerability,
  vulnerabilities,
} from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { findingDraft } from './findings.ts';

import {
  assetOf,
  type Described,
  decided,
  ifLeft,
  maybe,
  of,
  orNull,
  person,
  records,
  severity,
  stakes,
  tags,
  time,
  zone,
} from './random-records.ts';

/** Records that findings make. */
export const ABOUT_FINDINGS = {
  finding: records<StoredFinding, never>(findings as never, {
    list: 'listFindings',
    draft: (ids) =>
      fc
        .record({
          ...decided,
          title: of('weak log4j', 'log4j', 'openssl on shop'),
          severity,
          tool: of('Trivy', 'semgrep', 'aws-check'),
          ruleId: of('sql-injection', 'XSS', 'xss', 's3_public'),
          cves: fc.subarray(['CVE-2021-44228', 'CVE-2020-1']),
          cwes: fc.subarray(['CWE-79', 'CWE-319']),
          check: maybe(fc.record({ benchmark: of('cis-1.8', 'aws-3.0'), key: of('1.2.1', '5.2') })),
          ref: maybe(of('main', 'release/1')),
          asset: assetOf(ids),
          applicationIds: maybe(fc.subarray([...ids.some], { minLength: 1 })),
          assetOwnerId: maybe(of(...ids.people, ...ids.teams)),
          assignee: maybe(person(ids)),
          stakes,
          kev: of(undefined, true),
          epss: of(undefined, 0, 0.1, 0.105, 0.29, 0.97, 1),
          engagementId: maybe(of(...ids.some)),
          remediationIds: maybe(fc.subarray([...ids.some], { minLength: 1 })),
          suppressedBy: maybe(of(...ids.some).map((id) => ({ id, name: 'rule', was: 'open' }))),
          acceptedUntil: maybe(time),
          taskId: of(...ids.some),
        })
        .map((one) => findingDraft(now(), one as never)),
    values: {
      ...behind(({ stakes }) => stakes),
      status: ({ status }) => status,
      severity: (one) => one.severity,
      tool: ({ tool }) => tool,
      tag: (one) => one.tags,
      assignee: ({ assignee }) => assignee?.id,
      team: ({ assignee }) => assignee?.id,
      application: ({ applicationIds }) => applicationIds,
      'asset.id': ({ asset }) => asset.id,
      'asset.type': ({ asset }) => asset.type,
      'asset.zone': ({ asset }) => asset.zone,
      kev: ({ kev }) => kev,
      due: (one) => ifLeft(one, one.dueAt),
      epss: (one) => ifLeft(one, one.epss?.toString()),
      priority: (one) => ifLeft(one, String(one.priority)),
      acceptanceEnds: (one) => (one.status === 'risk_accepted' ? one.acceptedUntil : null),
      firstSeen: ({ firstSeenAt }) => firstSeenAt,
      fixed: ({ status, fixedAt }) => (status === 'fixed' ? fixedAt : null),
      reopened: ({ reopenedAt }) => reopenedAt,
      fixedBy: (one) => (one.status === 'fixed' ? (one.fixedByTaskId ? 'scan' : 'person') : null),
      updated: ({ updatedAt }) => updatedAt,
      text: ({ title }) => title,
      rule: ({ ruleId }) => ruleId,
      cve: ({ cves }) => cves,
      cwe: ({ cwes }) => cwes,
      weakness: weaknessesOf,
      check: ({ check }) => check && `${check.benchmark} ${check.key}`,
      branch: ({ ref }) => ref,
      engagement: ({ engagementId }) => engagementId,
      remediation: ({ remediationIds }) => remediationIds,
      suppressedBy: ({ suppressedBy }) => suppressedBy?.id,
      task: ({ taskId }) => taskId,
    },
  }),
  vulnerability: records<StoredVulnerability, never>(vulnerabilities as never, {
    list: 'listVulnerabilities',
    draft: (ids) =>
      fc
        .record({
          ...decided,
          title: of('Log4Shell', 'Heartbleed'),
          severity,
          advisoryId: of('CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q'),
          aliases: fc.subarray(['CVE-2020-1', 'RUSTSEC-2021-0001']),
          cvss: fc.constant({}),
          epss: maybe(of(0, 0.1, 0.29, 0.97).map((probability) => ({ probability, percentile: 0.5, date: now() }))),
          kev: of(undefined, { addedAt: '2021-12-10', dueAt: '2021-12-24', ransomware: true }),
          ssvc: of('track', 'attend', 'act'),
          component: maybe(
            fc.record({
              name: of('Log4j-Core', 'openssl'),
              version: fc.constant('2.14.1'),
              fixedVersions: of([], ['2.17.1']),
            }),
          ),
          asset: assetOf(ids),
          applicationIds: maybe(fc.subarray([...ids.some], { minLength: 1 })),
          assetOwnerId: maybe(of(...ids.people, ...ids.teams)),
          assignee: maybe(person(ids)),
          accepted: maybe(orNull(time).map((until) => ({ reason: null, approver: null, until }))),
          findingsCount: fc.constant(1),
          tools: fc.subarray(['Trivy', 'grype'], { minLength: 1 }),
          stakes,
        })
        .map(({ stakes: rated, ...one }) => ({ ...one, key: newId(), said: [[{ ...saidBy(one), stakes: rated }, 1]] })),
    values: {
      ...behind(({ said }) => said[0]?.[0].stakes),
      status: ({ status }) => status,
      severity: (one) => one.severity,
      tool: ({ tools }) => tools,
      tag: (one) => [...one.tags, ...(one.assetTags ?? [])],
      assignee: ({ assignee }) => assignee?.id,
      team: ({ assignee }) => assignee?.id,
      application: ({ applicationIds }) => applicationIds,
      'asset.id': ({ asset }) => asset.id,
      'asset.zone': ({ asset }) => asset.zone,
      kev: ({ kev }) => Boolean(kev),
      due: (one) => ifLeft(one, one.dueAt),
      epss: (one) => ifLeft(one, one.epss?.probability.toString()),
      priority: (one) => ifLeft(one, String(one.priority)),
      acceptanceEnds: (one) => acceptanceOfVulnerability(one)?.until,
      firstSeen: ({ firstSeenAt }) => firstSeenAt,
      fixed: ({ status, fixedAt }) => (status === 'fixed' ? fixedAt : null),
      reopened: ({ reopenedAt }) => reopenedAt,
      text: ({ advisoryId }) => advisoryId,
      cve: ({ advisoryId, aliases }) => [advisoryId, ...aliases],
      advisory: ({ advisoryId, aliases }) => [advisoryId, ...aliases],
      component: ({ component }) => component?.name,
      fix: ({ status, component }) => (isOpen(status) && component?.fixedVersions[0] ? component.name : null),
      ssvc: ({ ssvc }) => ssvc,
      late: ({ status, dueAt = '~', fixedAt = '' }) => status === 'fixed' && fixedAt > dueAt,
    },
  }),
  asset: records<Asset, never>(assets as never, {
    list: 'listAssets',
    draft: (ids) =>
      fc
        .record({
          type: of('host', 'repository', 'cloud_account', 'edr_device'),
          name: of('web 1', 'shop'),
          zone,
          criticality: of('low', 'medium', 'critical'),
          internetExposed: of(null, true, false),
          tags,
          ruleTags: maybe(fc.subarray(['lab', 'Edge'], { minLength: 1 })),
          links: maybe(
            fc
              .subarray([...ids.some], { minLength: 1 })
              .map((some) =>
                some.map((applicationId) => ({ applicationId, origin: 'manual', at: now(), by: systemActor })),
              ),
          ),
          ownerId: of(undefined, null, ...ids.people, ...ids.teams),
          cloud: orNull(
            of(null, '111122223333', 'Acme').map((accountId) => ({
              provider: 'aws',
              accountId,
              region: null,
              resourceId: null,
              tags: { env: 'prod' },
            })),
          ),
          firstSeenAt: time,
          lastSeenAt: maybe(time),
          retiredAt: of(undefined, undefined, now()),
          os: of(
            null,
            { family: 'linux', name: 'Ubuntu', version: '24.04' },
            { family: 'windows', name: null, version: null },
          ),
          agentId: of(undefined, ids.some[0]),
        })
        .map((one) => ({ ...one, value: newId() })),
    values: {
      type: ({ type }) => type,
      tag: tagsOf,
      cloudAccount: ({ cloud, type, value }) =>
        type === 'cloud_account' ? [value, cloud?.accountId ?? []].flat() : cloud?.accountId,
      zone: (one) => one.zone,
      criticality: ({ criticality }) => criticality,
      internetExposed: ({ internetExposed }) => String(internetExposed ?? 'unknown'),
      owner: ({ ownerId }) => ownerId,
      team: ({ ownerId }) => ownerId,
      text: ({ name }) => name,
      application: (one) => (one.retiredAt ? null : applicationsOf(one)),
      system: ({ retiredAt, os }) => (retiredAt || !os ? null : writtenOs(os)),
      managed: ({ type, agentId }) => type === 'host' && Boolean(agentId),
      retired: ({ retiredAt }) => Boolean(retiredAt),
      lastSeen: (one) => (one.retiredAt ? null : seenAt(one)),
    },
  }),
};

/** The finding that makes a vulnerability. */
const saidBy = ({ advisoryId, aliases, asset, severity: worst, tools: [tool], firstSeenAt }: Told) => ({
  advisoryId,
  aliases,
  asset,
  severity: worst,
  tool,
  firstSeenAt,
  status: 'open',
  tags: [],
});
type Told = Record<'advisoryId' | 'aliases' | 'asset' | 'severity' | 'firstSeenAt', unknown> & { tools: string[] };

type Behind = { assetTags?: string[] | undefined; assetOwnerId?: string | undefined };
type Rated = { criticality?: string | undefined; exposed?: true | undefined } | undefined;

/** The values of the asset behind a record. */
function behind<T extends Behind>(stakesOf: (record: T) => Rated): Described<T>['values'] {
  return {
    'asset.tag': ({ assetTags }) => assetTags,
    'asset.owner': ({ assetOwnerId }) => assetOwnerId,
    'asset.criticality': (one) => stakesOf(one)?.criticality ?? 'medium',
    'asset.exposed': (one) => stakesOf(one)?.exposed,
  };
}
