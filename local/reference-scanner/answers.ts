import * as z from 'zod';

/** The parts of the service's answers that this scanner uses; unknown fields are ignored. */
export const NewTasks = z.object({
  tasks: z.array(
    z.object({
      // The id becomes the name of a file.
      id: z.string().regex(/^[\w-]{1,100}$/),
      type: z.string(),
      target: z.object({ type: z.string(), value: z.string() }),
      exclusions: z.array(z.object({ type: z.string(), value: z.string() })).default([]),
      publicOnly: z.boolean().default(false),
      parameters: z.record(z.string(), z.unknown()),
      secretsUrl: z.string().startsWith('/api/').optional(),
    }),
  ),
  cancel: z.array(z.object({ taskId: z.string() })),
  lost: z.array(z.string()),
  pollAfterSeconds: z.number(),
  upgrade: z.object({ message: z.string() }).optional(),
});

export const TaskSecrets = z.object({
  credentials: z.array(
    z.object({
      kind: z.string(),
      username: z.string().nullable(),
      secret: z.object({ token: z.string().optional(), password: z.string().optional() }),
    }),
  ),
});

export const CompletedTasks = z.object({
  results: z.array(
    z.object({
      taskId: z.string(),
      accepted: z.boolean(),
      code: z.string().optional(),
      message: z.string().optional(),
    }),
  ),
});

export const UploadTicket = z.object({
  uploadId: z.string(),
  partSizeBytes: z.int(),
  parts: z.array(
    z.object({
      partNumber: z.int(),
      sizeBytes: z.int(),
      url: z.string(),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
