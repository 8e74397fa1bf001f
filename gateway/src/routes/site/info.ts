import type { GetProviderResponse } from '@figbase/proto/identity/sign-in'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { readServerVersion } from '../../server-version.js'
import { versions } from '../../versions.js'

export const info = endpoint({
  method: 'GET',
  path: '/info/',
  since: 'v1',
  auth: 'none',
  idempotent: true,
  summary: 'What this server is; open to all',
  responses: {
    200: z.object({
      environment: z.string(),
      server_version: z.string(),
      started: z.iso.datetime(),
      api_versions: z.array(z.string()),
      your_ip: z.string(),
      ai_enabled: z.boolean(),
      auth0_domain: z.string().optional(),
      auth0_spa_client_id: z.string().optional(),
      auth0_cli_client_id: z.string().optional(),
      auth0_audience: z.string().optional(),
    }),
  },
  async handle({ cfg, startedOn, clientAddress, services, call }) {
    const provider = await services.signIn.getProvider({}, call)
    return ok({
      environment: cfg.environment,
      server_version: readServerVersion(),
      started: startedOn.toISOString(),
      api_versions: versions,
      your_ip: clientAddress,
      ai_enabled: false,
      ...providerShape(provider),
    })
  },
})

/** Nothing of a provider that there is not; clients put `https://` before the domain. */
const providerShape = ({ issuer, clientId, cliClientId, audience }: GetProviderResponse) =>
  issuer && {
    auth0_domain: issuer.replace(/^https?:\/\//, '').replace(/\/$/, ''),
    ...(clientId && { auth0_spa_client_id: clientId }),
    ...(cliClientId && { auth0_cli_client_id: cliClientId }),
    ...(audience && { auth0_audience: audience }),
  }
