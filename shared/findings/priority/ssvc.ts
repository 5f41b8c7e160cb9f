import type { Ssvc } from './finding-priority.ts';
import type { Danger } from './priority.ts';

type Answers = Omit<Ssvc, 'decision'>;

const MISSION = ['low', 'medium', 'high'] as const;

/**
 * CISA's decision table (CISA Coordinator 2.0.3, as CERT/CC publishes it): a text per exploitation, automatable and technical impact;
 * its letters are the decisions for a low, medium and high impact on mission and well-being.
 */
const TABLE: Record<Ssvc['exploitation'], Record<'no' | 'yes', Record<Ssvc['technicalImpact'], string>>> = {
  none: { no: { partial: 'ttt', total: 'tts' }, yes: { partial: 'tta', total: 'tta' } },
  poc: { no: { partial: 'tts', total: 'tsa' }, yes: { partial: 'tta', total: 'tsa' } },
  active: { no: { partial: 'tta', total: 'taA' }, yes: { partial: 'aaA', total: 'aAA' } },
};

const DECISIONS: Record<string, Ssvc['decision']> = { t: 'track', s: 'track_star', a: 'attend', A: 'act' };

export function decisionOf(answers: Answers): Ssvc['decision'] {
  const { exploitation, automatable, technicalImpact, missionAndWellBeing } = answers;
  const letters = TABLE[exploitation][automatable ? 'yes' : 'no'][technicalImpact];
  const decision = DECISIONS[letters[MISSION.indexOf(missionAndWellBeing)] ?? ''];
  if (!decision) throw new Error(`no decision for ${JSON.stringify(answers)}`);
  return decision;
}

/** From this chance of exploitation on we assume that a way to exploit it is public. */
const POC_FROM = 0.1;

type Known = Pick<Danger, 'severity' | 'kev' | 'epss' | 'stakes'> & { cvssVector?: string | undefined };

/**
 * The decision on a vulnerability of an asset. Exploitation comes from KEV and EPSS. Automation and technical impact
 * come from the metrics of the CVSS vector (without a vector: not automatable, and total for a critical one). Mission
 * and well-being come from the asset's criticality.
 */
export function ssvcOf({ severity, kev, epss = 0, cvssVector, stakes }: Known): Ssvc {
  const metrics = metricsOf(cvssVector);
  const { criticality = 'medium' } = stakes ?? {};
  const answers: Answers = {
    exploitation: kev ? 'active' : epss >= POC_FROM ? 'poc' : 'none',
    automatable: isAutomatable(metrics),
    technicalImpact: isTotal(metrics, severity) ? 'total' : 'partial',
    missionAndWellBeing: criticality === 'critical' ? 'high' : criticality,
  };
  return { decision: decisionOf(answers), ...answers };
}

/** The metrics of a vector of any version: `{AV: 'N', ...}`. */
const metricsOf = (vector = ''): Record<string, string | undefined> =>
  Object.fromEntries(vector.split('/').map((metric) => metric.split(':') as [string, string | undefined]));

type Metrics = ReturnType<typeof metricsOf>;

/** Over the network, without conditions, privileges or a user who has to take part. */
const isAutomatable = ({ AV, AC, AT = 'N', PR, Au, UI = 'N' }: Metrics): boolean =>
  AV === 'N' && AC === 'L' && AT === 'N' && (PR ?? Au) === 'N' && UI === 'N';

/** The attacker reads and changes everything: of version 2 complete, of 4.0 on the vulnerable system. */
function isTotal({ C, I, VC, VI }: Metrics, severity: Danger['severity']): boolean {
  const gains = [C ?? VC, I ?? VI];
  if (gains.includes(undefined)) return severity === 'critical';
  return gains.every((gain) => gain === 'H' || gain === 'C');
}
