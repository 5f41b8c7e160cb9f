import { CloudFormationClient, DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';

type StackPlace = { name: string; region?: string };

/** A template, in the parts that a deployment is compared by. */
const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
});
export type Template = z.infer<typeof Template>;

export const parseTemplate = (template: unknown): Template => Template.parse(template);

/** The outputs of a running stack, or undefined while there is none. The region is that of the credentials unless given. */
export const findOutputs = (place: StackPlace): Promise<Record<string, string> | undefined> =>
  unlessMissing(place, async (client) => {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: place.name }));
    const outputs = Stacks[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  });

/** The template with which a stack was last deployed, or undefined while there is none. */
export const findTemplate = (place: StackPlace): Promise<Template | undefined> =>
  unlessMissing(place, async (client) => {
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: place.name }));
    return TemplateBody ? parseTemplate(JSON.parse(TemplateBody)) : undefined;
  });

async function unlessMissing<T>({ region }: StackPlace, ask: (client: CloudFormationClient) => Promise<T>) {
  const client = new CloudFormationClient({ region });
  try {
    return await ask(client);
  } catch (error) {
    // CloudFormation answers this code for many mistakes, and tells them apart by the message alone.
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist'))
      return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}
