import * as z from 'zod';

/** The parts of the service's answers that this appliance uses; unknown fields are ignored. */
export const ApexTask = z.object({
  id: z.string(),
  type: z.string(),
  objective: z.string(),
  targets: z.array(z.object({ type: z.string(), value: z.string() })),
  exclusions: z.array(z.object({ type: z.string(), value: z.string() })),
});
export type ApexTask = z.infer<typeof ApexTask>;

export const NewTasks = z.object({
  tasks: z.array(ApexTask),
  cancel: z.array(z.object({ taskId: z.string() })),
  lost: z.array(z.string()),
  pollAfterSeconds: z.number(),
});

export const SessionAnswer = z.object({
  sessionId: z.string(),
  commands: z.array(z.object({ type: z.string(), taskId: z.string().optional(), reason: z.string() })),
  lost: z.array(z.string()),
  nextUpdateSeconds: z.number(),
});

export const CompletionAccepted = z.object({ requestID: z.string() });

export const CompletionResult = z.object({
  status: z.string(),
  message: z.object({ content: z.string() }).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export const FindingsAnswer = z.object({
  results: z.array(z.object({ externalId: z.string(), accepted: z.boolean(), message: z.string().optional() })),
});

/** The form of answer that the model is asked for. */
export const Assessment = z.object({
  summary: z.string(),
  findings: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        title: z.string().min(1).max(300),
        severity: z.enum(['critical', 'high', 'medium', 'low', 'info']),
        description: z.string().max(16_000).optional(),
        target: z.string().optional(),
      }),
    )
    .max(200),
});
