import type { Overview } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { texts } from '../../texts.ts';
import { Card } from './first.tsx';

const words = texts.home;

/** Connections whose problem is newest, with the reason. */
export const Broken = ({ integrations: { failing, total } }: Pick<Overview, 'integrations'>) => (
  <Card title={words.broken}>
    {failing.length === 0 && <p class="soft">{total === 0 ? words.noConnections : words.nothingBroken}</p>}
    <ul class="lines">
      {failing.map(({ id, name, reason, since }) => (
        <li key={id} class="line">
          <span class="strong cut">{name}</span>
          <span class="cut">{reason}</span>
          <span class="soft small">{words.since(agoOf(since))}</span>
        </li>
      ))}
    </ul>
  </Card>
);
