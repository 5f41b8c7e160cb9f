import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Template } from './cloudformation.ts';
import type { settingOutputs } from './outputs.ts';

/**
 * The outputs that must outlive every deployment: another table, bucket or secret begins without the data, another issuer refuses
 * all tokens, and machines do not follow to another address.
 */
const FIXED_OUTPUTS = [
  'TableName',
  'BucketName',
  'SigningSecretName',
  'SealingSecretName',
  'BillingSecretName',
  'TokenIssuer',
  'BaseUrl',
] as const satisfies (keyof typeof settingOutputs)[];

/** The properties whose change makes CloudFormation replace the resource of such an output. */
const REPLACING: Record<string, readonly string[]> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
  'AWS::S3::Bucket': ['BucketName', 'BucketNamePrefix', 'BucketNamespace', 'ObjectLockEnabled'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
};

type FixedChange = { output: (typeof FIXED_OUTPUTS)[number]; change: string };

/** The fixed values that would change if the stack were deployed with the next template. */
export function fixedChanges(running: Template, next: Template, region: string): FixedChange[] {
  return FIXED_OUTPUTS.flatMap((output) => {
    const [from, to] = [running, next].map((template) => textOf(template.Outputs[output]?.Value, region));
    if (from === undefined) return [];
    if (from !== to) return { output, change: `from ${from} to ${to ?? 'nothing'}` };
    const replaced = namesIn(from).find((name) => isReplaced(running.Resources[name], next.Resources[name]));
    return replaced ? { output, change: `because ${replaced} would be replaced` } : [];
  });
}

type Resource = Template['Resources'][string];

function isReplaced(before?: Resource, after?: Resource): boolean {
  if (before?.Type !== after?.Type) return true;
  const properties = REPLACING[before?.Type ?? ''] ?? [];
  return properties.some((name) => !isDeepStrictEqual(before?.Properties[name], after?.Properties[name]));
}

const Ref = z.strictObject({ Ref: z.string() });
const Join = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/**
 * A value of a template as one text: `${Name}` represents a resource, and different spellings of a region give the same
 * text.
 */
function textOf(value: unknown, region: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  const join = Join.safeParse(value).data?.['Fn::Join'];
  if (join) return join[1].map((part) => textOf(part, region)).join(join[0]);
  const name = Ref.safeParse(value).data?.Ref;
  if (name === 'AWS::Region') return region;
  return name === undefined ? JSON.stringify(value) : `\${${name}}`;
}

const namesIn = (text: string): string[] => [...text.matchAll(/\$\{([A-Za-z0-9]+)\}/g)].map(([, name = '']) => name);
