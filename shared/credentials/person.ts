import * as z from 'zod';

export const Person = z.object({ id: z.string(), name: z.string() });
