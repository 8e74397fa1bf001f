import type { CallOptions } from '@connectrpc/connect'
import { z } from 'zod'
import { endpoint, ok, type Services } from '../../endpoint.js'
import { readServerVersion } from '../../server-version.js'
import { versions } from '../../versions.js'

export const info = endpoint({
  method: 'GET',
  path: '/info/',
  since: 'v1',
  auth: 'none',
  idempotent: true,
  operationId: 'getInfo',
  summary: 'Get information about this server',
  description: 'Everybody may read it.',
  responses: {
    200: z.object({
      environment: z.string(),
      server_version: z.string(),
      started: z.iso.datetime(),
      api_versions: z.array(z.string()),
      your_ip: z.string(),
      ai_enabled: z.boolean().optional(),
      auth0_domain: z.string().optional(),
      auth0_spa_client_id: z.string().optional(),
      auth0_cli_client_id: z.string().optional(),
      auth0_audience: z.string().optional(),
    }),
  },
  async handle({ cfg, services, call, startedOn, clientAddress }) {
    const more = { ...call, timeoutMs: optionalTimeoutMs }
    return ok({
      environment: cfg.environment,
      server_version: readServerVersion(),
      started: startedOn.toISOString(),
      api_versions: versions,
      your_ip: clientAddress,
      ...(await orEmpty(publicSettings(services, more))),
      ...(await orEmpty(provider(services, more))),
    })
  },
})

const optionalTimeoutMs = 2000

/** Omits information from a service that fails, so that the rest can still be sent. */
const orEmpty = (more: Promise<object>) => more.catch(() => ({}))

async function publicSettings({ site }: Services, call: CallOptions) {
  const { aiEnabled } = await site.getPublicSettings({}, call)
  return { ai_enabled: aiEnabled }
}

/** The domain has no scheme, because clients prepend `https://`. */
async function provider({ signIn }: Services, call: CallOptions) {
  const { issuer, clientId, cliClientId, audience } = await signIn.getProvider({}, call)
  if (!issuer) return {}
  return {
    auth0_domain: issuer.replace(/^https?:\/\//, '').replace(/\/$/, ''),
    ...(clientId && { auth0_spa_client_id: clientId }),
    ...(cliClientId && { auth0_cli_client_id: cliClientId }),
    ...(audience && { auth0_audience: audience }),
  }
}
