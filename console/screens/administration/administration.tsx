import { PageOfParts } from '../../parts/tabs.tsx';
import { administration } from '../../texts/administration.ts';
import { Notifications } from '../notifications/subscriptions.tsx';
import { Account } from './account.tsx';
import { Approvals } from './approvals.tsx';
import { Billing } from './billing.tsx';
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
  { part: 'billing', title: tabs.billing, Content: Billing },
  { part: 'service', title: tabs.service, Content: Service },
  { part: 'support', title: tabs.support, Content: Grants },
  { part: 'audit', title: tabs.audit, Content: Audit },
] as const;

/** The screens of administrators; the first part is the person's own. */
const Administration = () => <PageOfParts path="/administration" title={title} label={label} parts={PARTS} />;

export const parts = { List: Administration, Page: Administration };
