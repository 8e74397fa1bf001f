import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod'
import type { ModelServer } from './model-server.js'
import { readJson } from './read-json.js'
import type { Script } from './script.js'
import { sendJson } from './send.js'
import type { Reply } from './types.js'

const reply = z.strictObject({
  text: z.union([z.string(), z.array(z.string())]),
  tools: z.array(z.strictObject({ name: z.string(), input: z.unknown() })),
  json: z.unknown(),
  obey: z.boolean(),
  echo: z.boolean(),
  usage: z.union([z.literal('none'), z.strictObject({ input: z.int(), output: z.int() })]),
  status: z.int().min(400).max(599),
  retryAfterSeconds: z.int(),
  errorInStream: z.boolean(),
  stallMs: z.int(),
  delayMs: z.int(),
  stallAfter: z.int(),
  cutAfter: z.int(),
  raw: z.string(),
} satisfies Record<keyof Reply, z.ZodType>)

const command = z.union([
  z.strictObject({ next: z.array(reply.partial()) }),
  z.strictObject({ always: reply.partial() }),
  z.strictObject({ match: z.string().min(1), replies: z.array(reply.partial()).min(1) }),
])

/**
 * Scripts the server, and reads what it was asked, from another process; with `?match=`, only requests whose text
 * contains it.
 */
export async function control(
  req: IncomingMessage,
  res: ServerResponse,
  { server, script }: { server: ModelServer; script: Script },
) {
  if (req.method === 'GET') {
    const { problems, totals, openRequests } = server
    const match = new URL(req.url ?? '', 'http://any').searchParams.get('match') ?? ''
    const requests = server.requests
      .filter(({ text }) => text.includes(match))
      .map((request) => ({
        ...request,
        images: request.images.map(({ length }) => length),
        body: undefined,
        isOpen: server.outcomeOf(request) === undefined,
      }))
    sendJson(res, 200, { requests, problems, totals, openRequests })
    return
  }
  const { data, error } = command.safeParse(await readJson(req))
  if (!data) {
    sendJson(res, 400, { detail: z.prettifyError(error) })
    return
  }
  if ('next' in data) script.next(...data.next)
  else if ('always' in data) script.always(data.always)
  else script.match(data.match, data.replies)
  sendJson(res, 200, {})
}
