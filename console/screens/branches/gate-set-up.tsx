import type { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { CopyLine } from '../../parts/copy-line.tsx';
import { SEVERITIES } from '../../parts/marks.tsx';
import { texts } from '../../texts.ts';

const words = texts.branch.setUp;

type GateSetUpProps = { repository: string; branch: string; failOn: string };

/** The command by which a pipeline sends a report and asks the gate about the merge. */
export const GateSetUp = ({ repository, branch, failOn }: GateSetUpProps) => {
  const query = new URLSearchParams({ repository, ref: branch, failOn, waitSeconds: '20' });
  const command = [
    `gzip -c report.sarif | curl -sS --fail-with-body '${location.origin}/api/v1/findings/import?${query}'`,
    `-H "Authorization: Bearer $EXPOSURE_KEY" -H 'Content-Type: application/gzip' --data-binary @- | jq -e .gate.passed`,
  ].join(' ');
  return (
    <details>
      <summary>{words.title}</summary>
      <p class="soft">{words.lead}</p>
      <CopyLine label={words.command} text={command} />
      <p>
        <Link href="/administration/keys">{words.key}</Link>
      </p>
    </details>
  );
};

/** The severity from which on a new finding stops the merge. */
export const FailOn = ({ failOn }: { failOn: ReturnType<typeof useSignal<(typeof SEVERITIES)[number]>> }) => (
  <label class="order">
    <span>{words.failOn}</span>
    <select
      value={failOn.value}
      onChange={({ currentTarget }) => {
        failOn.value = SEVERITIES.find((one) => one === currentTarget.value) ?? 'high';
      }}
    >
      {SEVERITIES.map((one) => (
        <option key={one} value={one}>
          {texts.severities[one]}
        </option>
      ))}
    </select>
  </label>
);
