import type { Target } from '../forms/targets.ts';
import { engagementForm } from '../texts/engagement-form.ts';
import { nameOf } from '../texts/names.ts';

type TargetListProps = { targets: readonly Target[]; most?: number };

/** Targets with their types and zones. */
export const TargetList = ({ targets, most = targets.length }: TargetListProps) => (
  <ul class="bullets">
    {targets.slice(0, most).map(({ type, value, zone }) => (
      <li key={`${type} ${value} ${zone}`}>
        <code>{value}</code> <span class="soft">{[nameOf(type), zone].filter(Boolean).join(', ')}</span>
      </li>
    ))}
    {targets.length > most && <li>{engagementForm.preview.more(targets.length - most)}</li>}
  </ul>
);
