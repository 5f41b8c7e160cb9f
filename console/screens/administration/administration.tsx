import { Link, useParams } from 'wouter-preact';
import { administration } from '../../texts/administration.ts';
import { Notifications } from '../notifications/subscriptions.tsx';
import { Account } from './account.tsx';
import { Approvals } from './approvals.tsx';
import { Grants } from './grants.tsx';
import { Keys } from './keys.tsx';
import { People } from './people.tsx';
import { Providers } from './providers/providers.tsx';
import { Audit, Service } from './records.tsx';
import { Roles } from './roles.tsx';

const { tabs, title, label } = administration;

const PARTS = [
  { part: 'account', title: tabs.account, Content: Account },
  { part: 'notifications', title: tabs.notifications, Content: Notifications },
  { part: 'people', title: tabs.people, Content: People },
  { part: 'roles', title: tabs.roles, Content: Roles },
  { part: 'approvals', title: tabs.approvals, Content: Approvals },
  { part: 'providers', title: tabs.providers, Content: Providers },
  { part: 'keys', title: tabs.keys, Content: Keys },
  { part: 'service', title: tabs.service, Content: Service },
  { part: 'support', title: tabs.support, Content: Grants },
  { part: 'audit', title: tabs.audit, Content: Audit },
];

/** The screens of administrators; the first part is the person's own. */
function Administration() {
  const { id: part = 'account' } = useParams();
  const Content = PARTS.find((one) => one.part === part)?.Content ?? Account;
  return (
    <div class="page">
      <h1>{title}</h1>
      <nav class="tabs" aria-label={label}>
        {PARTS.map((one) => (
          <Link
            key={one.part}
            href={`/administration/${one.part}`}
            aria-current={one.part === part ? 'page' : undefined}
          >
            {one.title}
          </Link>
        ))}
      </nav>
      <Content />
    </div>
  );
}

export const parts = { List: Administration, Page: Administration };
