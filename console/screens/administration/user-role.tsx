import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { User } from '../../api/types.ts';
import { chosenOf, type Field, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { LIST_SIZE } from '../../parts/listing.tsx';
import { administration } from '../../texts/administration.ts';

const words = administration.people;

const useApplications = question(() =>
  answerOf(client.GET('/api/v1/software/applications', { params: { query: { paginateSize: LIST_SIZE } } })),
);

type RoleProps = { user: User; options: readonly { value: string; label: string }[] };

/** The role of a person with its part of the organization, and the form that changes both. */
export function UserRole({ user, options }: RoleProps) {
  const { data: applications } = useApplications('');
  const { id, name, version, roles, status } = user;
  const [role] = roles;
  const { zones = [], applicationIds = [] } = role?.scope ?? {};
  const label = options.find(({ value }) => value === role?.roleId)?.label ?? role?.roleId ?? '–';
  const size = zones.length + applicationIds.length;
  const fields: Field[] = [
    { name: 'roles.0.roleId', label: words.role, kind: 'choice', options, initial: role?.roleId ?? 'viewer' },
    { name: 'zones', label: words.zones, hint: words.zonesHint, kind: 'text', initial: zones.join(', ') },
    {
      name: 'applicationIds',
      label: words.applications,
      kind: 'choices',
      options: applications?.data.map((one) => ({ value: one.id, label: one.name })) ?? [],
      initial: chosenOf(applicationIds),
    },
  ];
  const change = async (values: Values): Promise<undefined> => {
    const headers = { 'if-match': `"${version}"` };
    const body = { roles: [{ roleId: values.text('roles.0.roleId'), ...scopeOf(values) }] };
    await answerOf(client.PATCH('/api/v1/users/{id}', { params: { path: { id } }, headers, body }));
  };
  return (
    <span class="acts">
      <span>
        {label} {size > 0 && <span class="soft small">{words.partIs(size)}</span>}
      </span>
      {status !== 'deactivated' && applications && (
        <FormDialog label={words.roleChange} title={words.partOf(name)} look="link" fields={fields} send={change} />
      )}
    </span>
  );
}

/** Without zones and applications the role holds for the whole organization. */
function scopeOf({ text, chosen }: Values) {
  const zones = text('zones')
    .split(',')
    .map((zone) => zone.trim())
    .filter(Boolean);
  const applicationIds = chosen('applicationIds');
  if (zones.length === 0 && applicationIds.length === 0) return {};
  return { scope: { ...(zones.length > 0 && { zones }), ...(applicationIds.length > 0 && { applicationIds }) } };
}
