import type { Look, Weakness } from '#shared/assets/controls/weakness.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';

type LookedAtBy = Partial<Record<AssetType, readonly Look[]>>;

const ofCode: LookedAtBy = { repository: ['code'] };
const ofApplications: LookedAtBy = { repository: ['code'], url: ['web'] };
const unproven: LookedAtBy = { repository: [], url: [] };
const ofAccounts: LookedAtBy = { cloud_account: ['cloud'] };

/**
 * The titles of weaknesses, and the tools that look for each on each type of asset: one tool is enough. An empty list
 * means that no tool proves the weakness absent there, so that a control of it never passes while such assets exist. A
 * weakness without types may fail a control, but needs no proof.
 */
const WEAKNESSES: Record<Weakness, { title: string; lookedAtBy: LookedAtBy }> = {
  access: { title: 'missing or wrong checks of permissions', lookedAtBy: unproven },
  authentication: { title: 'logins that can be bypassed or guessed', lookedAtBy: unproven },
  backup: { title: 'data without copies', lookedAtBy: ofAccounts },
  certificates: {
    title: 'certificates that are wrong or not checked',
    lookedAtBy: { repository: ['code'], host: ['tls', 'host'], url: ['tls'] },
  },
  cloud_hardening: { title: 'unsafe settings of cloud services', lookedAtBy: ofAccounts },
  cloud_identity: { title: 'unsafe identities and rights in cloud accounts', lookedAtBy: ofAccounts },
  cluster_hardening: { title: 'unsafe settings of container platforms', lookedAtBy: {} },
  code_hardening: { title: 'unsafe settings in code of infrastructure', lookedAtBy: {} },
  components: {
    title: 'components with known vulnerabilities',
    lookedAtBy: { repository: ['dependencies'], container_image: ['dependencies'] },
  },
  crypto: { title: 'weak or wrongly used cryptography', lookedAtBy: ofCode },
  csrf: { title: 'requests that another site can forge', lookedAtBy: ofApplications },
  design: { title: 'unsafe design', lookedAtBy: unproven },
  disclosure: { title: 'information for those who should not have it', lookedAtBy: ofApplications },
  encryption_at_rest: { title: 'stored data without encryption', lookedAtBy: ofAccounts },
  errors: { title: 'errors that reveal too much', lookedAtBy: ofApplications },
  exposure: {
    title: 'services that are open to networks without need',
    lookedAtBy: { host: ['ports', 'host'], cloud_account: ['cloud'] },
  },
  host_hardening: { title: 'unsafe settings of hosts', lookedAtBy: { host: ['host'] } },
  injection: { title: 'input that is taken for commands', lookedAtBy: ofApplications },
  integrity: { title: 'code or data of unproven origin', lookedAtBy: ofCode },
  logging: { title: 'events of software that are not logged, or unsafely', lookedAtBy: ofCode },
  memory: { title: 'memory that is written or read out of bounds', lookedAtBy: ofCode },
  monitoring: { title: 'cloud accounts whose events nobody records', lookedAtBy: ofAccounts },
  patching: { title: 'hosts with known vulnerabilities', lookedAtBy: { host: ['host'] } },
  races: { title: 'results that depend on timing', lookedAtBy: unproven },
  redirect: { title: 'redirections to any site', lookedAtBy: ofApplications },
  resources: { title: 'resources without a limit', lookedAtBy: unproven },
  secrets: { title: 'secrets in code', lookedAtBy: { repository: ['secrets'] } },
  session: { title: 'sessions that can be taken over', lookedAtBy: { url: ['web'] } },
  ssrf: { title: 'requests that a caller makes the server send', lookedAtBy: ofApplications },
  transport: {
    title: 'data in transit without strong encryption',
    lookedAtBy: { host: ['tls', 'host'], url: ['tls'] },
  },
  traversal: { title: 'paths that lead out of their directory', lookedAtBy: ofApplications },
  upload: { title: 'uploads of dangerous files', lookedAtBy: ofApplications },
  web_hardening: { title: 'unsafe settings of web servers and applications', lookedAtBy: { url: ['web'] } },
  xss: { title: 'scripts in pages of others', lookedAtBy: ofApplications },
  xxe: { title: 'XML that reads files or networks', lookedAtBy: ofApplications },
};

/** A weakness in words for people. */
export const titleOf = (weakness: Weakness): string => WEAKNESSES[weakness].title;

/** The types of assets on which something looks for a weakness, and by what. */
export const lookedAtBy = (weakness: Weakness): LookedAtBy => WEAKNESSES[weakness].lookedAtBy;
