import * as z from 'zod';
import { CLIENT_ROLES, ROLES } from '#shared/platform/auth/permissions.ts';
import { Id } from '#shared/platform/http/records.ts';

/** The role of an account or a person. */
export const RoleId = z.union([z.enum(ROLES), Id]).meta({
  description: 'a built-in role, or the id of a custom role (`GET /api/v1/roles`)',
  example: 'analyst',
});

/** The role of a person of an organization. */
export const ClientRoleId = z.union([z.enum(CLIENT_ROLES), Id]).meta({
  description: 'a built-in role of organizations, or the id of a custom role (`GET /api/v1/roles`)',
  example: 'analyst',
});
