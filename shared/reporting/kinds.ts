import type { ReportKind } from './report.ts';
import type { Section } from './section.ts';
import { accepted } from './sections/accepted.ts';
import { acceptedRisks } from './sections/accepted-risks.ts';
import { ages } from './sections/ages.ts';
import { slaRates, topApplications } from './sections/applications.ts';
import { auditLog } from './sections/audit-log.ts';
import { compliance, controls } from './sections/compliance.ts';
import { coverage } from './sections/coverage.ts';
import { engagement } from './sections/engagement.ts';
import { exploited } from './sections/exploited.ts';
import { findings } from './sections/findings.ts';
import { incidents } from './sections/incidents.ts';
import { components, statements } from './sections/package.ts';
import { remediations, upgrades } from './sections/plan.ts';
import { proof } from './sections/proof.ts';
import { summary } from './sections/summary.ts';
import { trend } from './sections/trend.ts';

/** Every section, by the name under which its facts are kept. */
const SECTIONS = {
  summary,
  trend,
  ages,
  exploited,
  topApplications,
  accepted,
  proof,
  coverage,
  compliance,
  incidents,
  slaRates,
  findings,
  acceptedRisks,
  upgrades,
  remediations,
  engagement,
  components,
  statements,
  controls,
  auditLog,
} as const;
type SectionName = keyof typeof SECTIONS;

/** The sections of a report of each kind, in their order. */
const KINDS: Readonly<Record<ReportKind, readonly SectionName[]>> = {
  executive: [
    ...(['summary', 'trend', 'ages', 'exploited', 'topApplications', 'accepted', 'proof'] as const),
    ...(['coverage', 'compliance', 'incidents', 'slaRates'] as const),
  ],
  technical: ['summary', 'trend', 'exploited', 'upgrades', 'coverage', 'findings'],
  application: ['summary', 'trend', 'ages', 'exploited', 'accepted', 'proof', 'coverage', 'compliance', 'findings'],
  team: ['summary', 'trend', 'ages', 'exploited', 'accepted', 'proof', 'coverage', 'findings'],
  engagement: ['summary', 'engagement', 'findings'],
  compliance: ['compliance', 'coverage', 'proof', 'slaRates', 'controls'],
  accepted_risks: ['accepted', 'acceptedRisks'],
  remediation_plan: ['summary', 'remediations', 'upgrades', 'ages', 'findings'],
  sbom_vex: ['components', 'statements'],
  audit_log: ['auditLog'],
};

/** Sections of a report to a board that are a sentence in short, and have their tables in the appendix, so that two pages say all. */
const BRIEF: readonly SectionName[] = ['exploited', 'accepted', 'proof', 'coverage', 'compliance', 'incidents'];

export const isBrief = (kind: ReportKind, section: string): boolean =>
  kind === 'executive' && BRIEF.some((name) => name === section);

/** A section without the type of its facts: `gather` makes the facts that `blocks` of the same section takes. */
export const sectionsOf = (kind: ReportKind): (readonly [name: string, section: Section<unknown>])[] =>
  KINDS[kind].map((name) => [name, SECTIONS[name] as Section<unknown>]);
