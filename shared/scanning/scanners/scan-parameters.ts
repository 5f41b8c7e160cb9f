import * as z from 'zod';
import { TASK_TYPES, type TaskType } from '#shared/assets/targets/scan-target.ts';
import type { ErrorDetail } from '#shared/platform/runtime/errors.ts';

/** Numbers that the table stores exactly: larger numbers are not exact, and DynamoDB refuses numbers closer to 0. */
const Numeric = z
  .number()
  .min(Number.MIN_SAFE_INTEGER)
  .max(Number.MAX_SAFE_INTEGER)
  .refine((value) => value === 0 || Math.abs(value) >= 1e-130, 'must be 0 or at least 1e-130 away from it');
const Scalar = z.union([
  z.string().refine((text) => text.isWellFormed(), 'must be whole characters'),
  Numeric,
  z.boolean(),
]);
/** A parameter that this release does not know. */
const Unknown = z.union([Scalar, z.array(Scalar).max(100)]);
const NAME = /^[A-Za-z][\w.-]{0,59}$/;

/**
 * Categories of Nmap scripts that its authors call safe, and single scripts of these that people name (nmap.org/nsedoc,
 * 7.95). All other scripts try passwords, may crash or exploit a service, or are unknown here.
 */
const SAFE_SCRIPTS = new Set(
  (
    'default safe version banner dns-nsid ftp-anon ftp-syst http-favicon http-generator http-headers http-methods ' +
    'http-security-headers http-server-header http-title http-vuln-cve2011-3192 imap-capabilities mongodb-info ms-sql-info mysql-info nbstat ' +
    'ntp-info pop3-capabilities rdp-ntlm-info redis-info rpcinfo smb-os-discovery smb-protocols smb-security-mode ' +
    'smb2-security-mode smb2-time smtp-commands snmp-info snmp-sysdescr ssh-hostkey ssh2-enum-algos ssl-cert ssl-date ' +
    'tls-alpn vulners'
  ).split(' '),
);

/** One parameter: its schema, and why a value of it is exploitation. */
type Parameter = { schema: z.ZodType; exploits?: (value: unknown) => string | undefined };

const PORTS = /^(?:[TUS]:)?\d{1,5}(?:-\d{1,5})?(?:,(?:[TUS]:)?\d{1,5}(?:-\d{1,5})?)*$/;
const arePorts = (text: string): boolean =>
  PORTS.test(text) && (text.match(/\d+/g) ?? []).every((port) => Number(port) <= 65_535);

const ports = z
  .union([
    z.int().min(0).max(65_535),
    z.string().max(2000).refine(arePorts, 'must be ports such as 22,80,8000-8100 or U:53'),
  ])
  .meta({ description: 'ports and ranges, separated by commas; T: and U: mean TCP and UDP', example: '22,80,443' });

const scripts = z
  .string()
  .max(2000)
  .regex(
    /^[a-z0-9][a-z0-9-]*(?:,[a-z0-9][a-z0-9-]*)*$/,
    'must be names of Nmap scripts or categories with commas between',
  )
  .meta({
    description:
      'Nmap scripts or categories, separated by commas. Scripts outside of the categories default, safe and version, and unknown ' +
      'scripts in them, are exploitation and need `rulesOfEngagement.allowExploitation`',
    example: 'default,vulners',
  });

const common: Record<string, Parameter> = {
  ref: { schema: z.string().max(250).meta({ description: 'the branch or tag that is scanned' }) },
  commit: { schema: z.string().max(64).meta({ description: 'the commit that is scanned' }) },
};

const rateLimit = z.int().min(1).max(1000).meta({ description: 'the most requests a second' });

const BY_TYPE: Partial<Record<TaskType, Record<string, Parameter>>> = {
  network: {
    ports: { schema: ports },
    scripts: {
      schema: scripts,
      exploits: (value) =>
        String(value)
          .split(',')
          .find((name) => !SAFE_SCRIPTS.has(name)),
    },
  },
  tls: { ports: { schema: ports } },
  web: { rateLimit: { schema: rateLimit } },
};

const schemaOf = (known: Record<string, Parameter>) =>
  z
    .object(
      Object.fromEntries(
        Object.entries({ ...common, ...known }).map(([name, { schema }]) => [name, schema.optional()]),
      ),
    )
    .catchall(Unknown)
    .refine((given) => Object.keys(given).every((name) => NAME.test(name) && !(name in {})), {
      message: 'must have names of letters, digits and _ . -, such as rateLimit',
    });

const commonAlone = schemaOf({}).optional();

type Shape = Record<TaskType, z.ZodOptional<z.ZodType<Record<string, unknown>>>>;

/** The parameters of an engagement's scans by type of task. */
export const ScanParameters = z
  .strictObject(
    Object.fromEntries(
      TASK_TYPES.map((type) => [type, BY_TYPE[type] ? schemaOf(BY_TYPE[type]).optional() : commonAlone]),
    ) as unknown as Shape,
  )
  .meta({ id: 'ScanParameters' });
type ScanParameters = z.infer<typeof ScanParameters>;

const parameterOf = (type: TaskType, name: string): Parameter | undefined =>
  new Map(Object.entries({ ...common, ...BY_TYPE[type] })).get(name);

/** The parameters that are exploitation, or may be: a parameter that this release does not know may do anything. */
export const exploitingParameters = (parameters: ScanParameters): ErrorDetail[] =>
  TASK_TYPES.flatMap((type) =>
    Object.entries(parameters[type] ?? {}).flatMap(([name, value]): ErrorDetail[] => {
      const known = parameterOf(type, name);
      const why = known ? known.exploits?.(value) : 'a parameter that this service does not know';
      const message = `${why} may be exploitation: set rulesOfEngagement.allowExploitation, or leave it out`;
      return why === undefined ? [] : [{ path: `parameters.${type}.${name}`, message }];
    }),
  );
