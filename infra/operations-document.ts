import { areas } from '#functions/contract.ts';
import { areaOf } from '#shared/platform/auth/permissions.ts';
import { type Route, useOf } from '#shared/platform/http/route.ts';

/** `functions/people/roles/operations.json`: of each operation that a role can open what decides on it, one line each. */
export function operationsDocument(): string {
  const lines = areas.flatMap(({ routes }) => Object.entries(routes).flatMap(lineOf));
  return `{\n${lines.toSorted().join(',\n')}\n}\n`;
}

function lineOf([name, route]: [string, Route]): string[] {
  const { access } = route;
  if (typeof access === 'string' || !(access.role ?? access.staff)) return [];
  const { role, staff, approves } = access;
  const decisive = {
    ...(role && { role, area: areaOf(access) }),
    ...(staff && { staff }),
    ...(approves === true && { approves }),
    use: route.irreversible ? 'final' : useOf(route),
  };
  const fields = Object.entries(decisive).map(([field, value]) => `"${field}": ${JSON.stringify(value)}`);
  return [`  "${name}": { ${fields.join(', ')} }`];
}
