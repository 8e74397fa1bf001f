import type { JWTPayload } from 'jose'
import { fetchUserInfo } from 'openid-client'
import type { Provider } from './provider.js'

/** The claims of a token; adds those of the userinfo endpoint when the token has no address. */
export async function withUserInfo(
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
    // Some providers accept only tokens with their own audience.
    if (isRefused(error)) return claims
    throw provider.unavailable(error)
  }
}

function isRefused(error: unknown) {
  const { status = 500 } = error as { status?: number }
  return status >= 400 && status < 500
}
