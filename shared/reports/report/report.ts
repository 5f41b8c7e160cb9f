import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { FileError } from '#shared/platform/runtime/errors.ts';
import { SEVERITIES } from '#shared/platform/runtime/severities.ts';
import type { Gap } from './gap.ts';

/*
 * The vocabulary of tool reports: the events that every reader makes of its format. Readers know nothing of
 * organizations, stored findings or fingerprints; the ingest adds those.
 */

const KB = 1024;

/** Limits of one finding: bytes of UTF-8 for a text, entries for a list. */
export const LIMITS = {
  title: 300,
  description: 16 * KB,
  remediation: 8 * KB,
  snippet: 2 * KB,
  evidence: 8 * KB,
  evidenceCount: 5,
  reference: 2 * KB,
  references: 20,
  identifiers: 50,
  tag: 120,
  tags: 30,
  name: 300,
  location: 2 * KB,
  /** The other places of a finding together, as JSON. */
  otherLocations: 64 * KB,
  fixedVersions: 10,
  identityPart: 2 * KB,
  /**
   * One finding, rule or element in the report's spelling; real ones stay below 1 MB. Parsed, it may take 40 times
   * that.
   */
  rawValue: 8 * KB * KB,
} as const;

export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const AssetType = z.enum([
  'host',
  'url',
  'domain',
  'repository',
  'container_image',
  'cloud_account',
  'application',
]);

/** Inventories also list what no scan has as its target. */
export const InventoryType = z.enum([...AssetType.options, 'cloud_resource', 'edr_device']);

export const ReportAsset = z.object({ type: AssetType, value: z.string() });
export type ReportAsset = z.infer<typeof ReportAsset>;

export const ReportLocation = z.object({
  host: z.string().optional(),
  port: z.int().min(0).max(65535).optional(),
  protocol: z.string().optional(),
  url: z.string().optional(),
  path: z.string().optional(),
  line: z.int().min(1).optional(),
  commit: z.string().optional(),
  snippet: z.string().optional(),
});
export type ReportLocation = z.infer<typeof ReportLocation>;

/** A package, product or image layer that has the problem. `purl` is a package URL (purl-spec, ECMA-427). */
export const ReportComponent = z.object({
  name: z.string(),
  version: z.string().optional(),
  purl: z.string().optional(),
  fixedVersions: z.array(z.string()),
});
export type ReportComponent = z.infer<typeof ReportComponent>;

export const ReportEvidence = z.object({ kind: z.enum(['text', 'http', 'command']), content: z.string() });
export type ReportEvidence = z.infer<typeof ReportEvidence>;

export const CREDENTIAL_KINDS = ['private_key', 'connection_string', 'password', 'token', 'api_key', 'other'] as const;

/** The secret of a finding. The import replaces `text` by a keyed hash before it stores anything. */
export const ReportSecret = z.object({
  /** Absent when the tool was configured to omit secrets. */
  text: z.string().optional(),
  kind: z.enum(CREDENTIAL_KINDS),
  /** null: the secret is unknown, or too short to show any part. */
  masked: z.string().nullable(),
  /** Whether the secret was used successfully; null: nobody tried. */
  verified: z.boolean().nullable(),
  /** The account that it opens. */
  account: z.string().nullable(),
});
export type ReportSecret = z.infer<typeof ReportSecret>;

/**
 * The benchmarks whose controls are known from the checks of tools. The names are values of counters: never changed.
 */
export const BENCHMARKS = ['cis-1.5', 'cis-1.8', 'cis-1.10', 'cis-1.11', 'cis-1.12', 'aws-3.0'] as const;
export type Benchmark = (typeof BENCHMARKS)[number];

/**
 * A check of a benchmark, by a key that is unique in it. There are few keys, so that counters may have them as names.
 */
export const BenchmarkCheck = z.object({ benchmark: z.enum(BENCHMARKS), key: z.string() });
export type BenchmarkCheck = z.infer<typeof BenchmarkCheck>;

export const ReportFinding = z.object({
  title: z.string(),
  description: z.string().optional(),
  severity: Severity,
  /** The tool's own word or number, when it gave one. */
  toolSeverity: z.string().optional(),
  ruleId: z.string(),
  cves: z.array(z.string()),
  cwes: z.array(z.string()),
  cvssVector: z.string().optional(),
  cvssScore: z.number().optional(),
  /** null: the report names no asset, so the target of the import or of the scanner's task is meant. */
  asset: ReportAsset.nullable(),
  location: ReportLocation,
  /** Places of the same problem beside `location`, which a report names in one entry. */
  otherLocations: z.array(ReportLocation).optional(),
  component: ReportComponent.optional(),
  secret: ReportSecret.optional(),
  /** The check of a benchmark that failed. */
  check: BenchmarkCheck.optional(),
  evidence: z.array(ReportEvidence),
  references: z.array(z.string()),
  remediation: z.string().optional(),
  tags: z.array(z.string()),
  /** Somebody told the tool to be silent about it: the problem is there, and its risk is accepted. */
  muted: z.literal(true).optional(),
  /** Recognises the problem in the next report; the fingerprint adds the tool and the asset. */
  identity: z.array(z.string()),
});
export type ReportFinding = z.infer<typeof ReportFinding>;

const short = z.string().max(300);
const purl = z.string().max(1000);

/** Something that answers on a port. */
export const Service = objectNamed('Service', {
  port: z.int().min(0).max(65_535),
  protocol: z.string().max(20),
  service: short.nullable().meta({ description: 'such as `ssh`' }),
  product: short.nullable(),
  version: short.nullable(),
  cpe: short.nullable(),
});
export type Service = z.infer<typeof Service>;

export const Software = z.object({
  name: short.min(1),
  version: short.meta({ description: 'empty if the version is unknown' }),
  vendor: short.nullish(),
  purl: purl.nullish().meta({ description: 'package URL' }),
  cpe: short.nullish(),
});
export type Software = z.infer<typeof Software>;

export const OS_FAMILIES = ['linux', 'windows', 'macos'] as const;

/** An operating system in the catalogues: without build and architecture, by which almost every host would differ. */
export const OperatingSystem = z.object({
  family: z.enum(OS_FAMILIES),
  name: z.string().nullable(),
  version: z.string().nullable(),
});
export type OperatingSystem = z.infer<typeof OperatingSystem>;

/** By which other tools may know an asset. */
export type ReportIdentifiers = {
  [K in 'ips' | 'macs' | 'hostnames' | 'fqdns' | 'machineIds']?: string[];
} & { [K in 'cloudResourceId' | 'agentId' | 'serialNumber' | 'imageDigest']?: string | undefined };

/** The knowledge of a fleet's or a cloud's inventory about an asset. */
export type ReportFacts = {
  name?: string | undefined;
  identifiers?: ReportIdentifiers | undefined;
  cloud?: {
    provider: string;
    accountId: string | null;
    region: string | null;
    resourceId: string | null;
    tags: Record<string, string>;
  };
  internetExposed?: boolean;
};

/** An absent field is unknown; an empty list means that there are none. */
export type ReportInventory = {
  /** null: the target of the import or of the scanner's task. */
  asset: InventoryAsset | null;
  services?: Service[];
  software?: Software[];
  os?: OperatingSystem;
  facts?: ReportFacts;
  /** Of a scanned asset: identifiers alone make no asset. */
  identifiers?: ReportIdentifiers;
};
type InventoryAsset = { type: z.infer<typeof InventoryType>; value: string };

/** Both ends belong to the range. */
export type PortRange = { protocol: string; from: number; to: number };

/**
 * The extent of a scan: the ports that it tried, whether it ran scripts (checks beyond the ports) against them, and the
 * rules or packages that the tool could not judge.
 */
export type Extent = { ports?: PortRange[]; scripts?: boolean; unjudged?: string[] };

/** A finding that a later scan no longer has; `location` is its printed line, such as `10.0.0.7:443/tcp`. */
export type MissingFinding = { location: string; ruleId: string; title?: string };

export type ReportEvent =
  | { kind: 'finding'; finding: ReportFinding }
  /** An unusable entry; the rest of the report is still read, but closes nothing. */
  | { kind: 'rejected'; reason: string; where: string }
  /** `category`: the part of the same tree that this run scanned, for example with one report per language. */
  | { kind: 'tool'; name: string; version?: string; category?: string }
  /** The outcome for one target. Only `reached` may prove that a finding is gone. */
  | {
      kind: 'covered';
      target: ReportAsset;
      /** Other names and addresses of the same target. */
      aliases: string[];
      outcome: 'reached' | 'failed' | 'down';
      reason?: string;
    }
  /** The report has statements about exploitability (VEX), and this is their document; before the statements. */
  | { kind: 'document'; document: StatedDocument }
  | { kind: 'statement'; statement: Statement }
  /** The target passed a check of a benchmark; null: the target of the import or of the scanner's task. */
  | { kind: 'passed'; check: BenchmarkCheck; asset: ReportAsset | null }
  /** A scan cannot prove gone a finding that it did not look for. Several of these events add up. */
  | ({ kind: 'looked' } & Extent)
  /** The report's knowledge of an asset beside problems. Several of these events for one asset add up. */
  | { kind: 'inventory'; inventory: ReportInventory }
  /**
   * The report lacks something: its findings count, but it closes nothing, or no finding of these `rules`. Several of
   * these events add up.
   */
  | ({ kind: 'incomplete'; rules?: string[] } & Gap);

/** A document about exploitability (VEX). */
export type StatedDocument = {
  /** By which the versions of the document are recognised; empty: it has no id. */
  id: string;
  /** The name of the author, who decides. */
  author: string;
  /** The document names no author: the name is that of the tool that made it. */
  isTool?: true;
  /** RFC 3339; orders the versions. */
  at?: string | undefined;
  version?: string | undefined;
};

/** The statuses of OpenVEX 0.2.0, to which those of CSAF and CycloneDX are brought. */
export type StatedStatus = 'not_affected' | 'affected' | 'fixed' | 'under_investigation';

/** The judgement of a document on one vulnerability in some products. */
export type Statement = {
  /** The names of the vulnerability: CVE, GHSA and others. */
  vulnerabilities: string[];
  status: StatedStatus;
  products: StatedProduct[];
  /** The justification, in the author's words. */
  reason: string;
  /** RFC 3339; the newest statement of a document about a finding counts. */
  at?: string | undefined;
};

/** A package, an image or an asset; with `parts` these components of it are meant. */
export type StatedProduct = {
  /** The document is about it: the target of the import, where that names one. */
  isSubject?: true;
  name?: string | undefined;
  version?: string | undefined;
  purl?: string | undefined;
  parts?: StatedProduct[];
};

/** Opens the report's bytes from their start; a reader may call it more than once. */
export type OpenReport = () => AsyncIterable<Uint8Array>;

type ReportErrorCode =
  | 'invalid_report'
  | 'unsupported_format'
  | 'empty_report'
  | 'truncated_report'
  | 'unsafe_xml'
  | 'too_large';

/** The whole report is unusable. The message says what the sender can do and quotes none of the report's content. */
export class ReportError extends FileError<ReportErrorCode> {
  override readonly name = 'ReportError';
}
