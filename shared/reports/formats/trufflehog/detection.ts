import { afterLastSlash } from '#shared/platform/runtime/texts.ts';
import type { FindingDraft } from '../../readers/finding.ts';
import { fieldAt, indexAt, isObject, type JsonObject, textAt, textsAt } from '../../readers/json.ts';
import { secretProblem } from '../../readers/secret.ts';
import { pathInTree } from '../../readers/text.ts';
import type { ReportAsset } from '../../report/report.ts';

/** The finding of one detection of version 3, or undefined when it names no detector or no place. */
export function draftOfDetection(detection: JsonObject): FindingDraft | undefined {
  const ruleId = textAt(detection, 'DetectorName');
  const [kind, source] = sourceOf(detection);
  const named = textAt(source, 'file') ?? textAt(source, 'path') ?? textAt(source, 'key');
  const file = named && kind === 'Filesystem' ? pathInTree(named) : named;
  const link = textAt(source, 'link');
  const place = file ?? link ?? textAt(detection, 'SourceName');
  if (!ruleId || !place) return undefined;
  const verified = detection.Verified === true;
  return {
    ...secretProblem({
      ruleId,
      secret: textAt(detection, 'Raw') ?? textAt(detection, 'RawV2'),
      place,
      verified: verified || null,
      account: accountOf(detection),
      location: {
        url: file ? undefined : link,
        line: indexAt(source, 'line'),
        commit: textAt(source, 'commit'),
      },
    }),
    description: textAt(detection, 'DetectorDescription'),
    // TruffleHog rates nothing but whether the secret works.
    severity: verified ? 'critical' : 'medium',
    toolSeverity: verified ? 'verified' : 'unverified',
    asset: assetOf(source),
    evidence: [{ kind: 'text', content: factsOf(detection) }],
    references: link ? [link] : [],
    tags: [
      verified ? 'verified' : 'unverified',
      ...textsAt(detection, 'DecoderName'),
      ...textsAt(detection, 'SourceName'),
    ],
  };
}

/** `Data` has one member, named after the kind of source: Git, Github, Filesystem, S3, Docker and others. */
function sourceOf(detection: JsonObject): [kind?: string, source?: unknown] {
  const data = fieldAt(detection, 'SourceMetadata', 'Data');
  return Object.entries(isObject(data) ? data : {}).find(([, source]) => isObject(source)) ?? [];
}

function assetOf(source: unknown): ReportAsset | null {
  const repository = textAt(source, 'repository');
  // A clone on the scanning machine is no address that anybody else knows.
  if (repository && !/^(?:file:|\/|\.)/.test(repository)) return { type: 'repository', value: repository };
  const image = textAt(source, 'image');
  const tag = textAt(source, 'tag');
  if (image)
    return { type: 'container_image', value: tag && !/[:@]/.test(afterLastSlash(image)) ? `${image}:${tag}` : image };
  return null;
}

/** Names under which detectors write the account, the more exact first. */
const ACCOUNT = ['arn', 'email', 'username', 'user', 'account', 'account_id', 'name'];

/** The account that the secret opens, where the check returned it. */
const accountOf = ({ ExtraData }: JsonObject): string | undefined =>
  ACCOUNT.flatMap((name) => textsAt(ExtraData, name))[0];

/** The account that the secret opens, without the secret itself. */
function factsOf(detection: JsonObject): string {
  const extra = isObject(detection.ExtraData) ? Object.entries(detection.ExtraData) : [];
  const secrets = [...textsAt(detection, 'Raw'), ...textsAt(detection, 'RawV2')];
  const facts = extra.filter((fact): fact is [string, string] => typeof fact[1] === 'string');
  return facts
    .filter(([, value]) => secrets.every((secret) => !value.includes(secret) && !secret.includes(value)))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
