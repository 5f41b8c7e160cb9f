import { Link } from 'wouter-preact';
import type { Overview } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { connectionPage } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { Card } from './first.tsx';

const words = texts.home;

/** Connections whose problem is newest, with the reason. */
export const Broken = ({ integrations: { failing, total } }: Pick<Overview, 'integrations'>) => (
  <Card title={words.broken}>
    {failing.length === 0 && <p class="soft">{total === 0 ? words.noConnections : words.nothingBroken}</p>}
    <ul class="lines">
      {failing.map((one) => (
        <li key={one.id}>
          <Link class="line" href={connectionPage(one)}>
            <span class="strong cut">{one.name}</span>
            <span class="cut">{one.reason}</span>
            <span class="soft small">{words.since(agoOf(one.since))}</span>
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);
