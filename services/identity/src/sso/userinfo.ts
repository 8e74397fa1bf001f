import type { JWTPayload } from 'jose'
import { fetchUserInfo } from 'openid-client'
import type { Provider } from './provider.js'

/** The claims of a token, and where it does not tell the address what the provider tells its bearer. */
export async function completed(
  provider: Provider,
  claims: JWTPayload,
  token: string,
): Promise<JWTPayload> {
  if (claims.email) return claims
  const { config } = await provider.discover()
  if (!config.serverMetadata().userinfo_endpoint) return claims
  try {
    return { ...claims, ...(await fetchUserInfo(config, token, claims.sub ?? '')) }
  } catch (error) {
    // Some providers answer only to tokens that are for themselves.
    if (isRefused(error)) return claims
    throw provider.away(error)
  }
}

function isRefused(error: unknown) {
  const { status = 500 } = error as { status?: number }
  return status >= 400 && status < 500
}
