import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { type Endpoint, ok } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import { uuid } from '../../shapes/common.js'

/** Those of GitHub, Gitea and GitLab. */
const senderHeaders = [
  'x-github-event',
  'x-hub-signature-256',
  'x-gitea-event',
  'x-gitea-signature',
  'x-gitlab-event',
  'x-gitlab-token',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

const headersOf = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    senderHeaders.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** The signature is over the bytes, so they are read whole. Servers send at most some hundred KB. */
async function readAll(bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > bytesMax)
      throw new HttpError(413, 'too_large', `the body must have at most ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const push: Endpoint = {
  method: 'POST',
  path: '/git_repository/:api_id/push/',
  since: 'v1.4.1',
  auth: 'none',
  idempotent: true,
  operationId: 'receiveGitPush',
  summary: 'Announce a push to a Git repository',
  description:
    'For webhooks of GitHub, GitLab, Gitea and Forgejo, signed with the secret of the repository. Pushes to other branches and other events start no import.',
  bytesType: 'application/json',
  responses: {
    200: z
      .object({ import: uuid.nullable() })
      .meta({ id: 'GitPush', description: 'The import that follows a push.' }),
  },
  errors: { 401: ['invalid_signature'], 413: ['too_large'] },
  async handle({ params, headers, services, call, cfg, bytes }) {
    const request = {
      repositoryId: params.api_id ?? '',
      headers: headersOf(headers),
      body: await readAll(bytes(), cfg.gitPushBytesMax),
    }
    const { import: one } = await services.git.receiveGitPush(request, call)
    return ok({ import: one?.id ?? null })
  },
}
