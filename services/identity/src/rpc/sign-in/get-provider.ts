import type { Ctx } from '../../context.js'
import type { SignInImpl } from '../../routes.js'

export function getProvider({ cfg }: Ctx): SignInImpl['getProvider'] {
  const { issuer, name, clientId, cliClientId, audience } = cfg.oidc
  const displayName = name || (issuer && new URL(issuer).hostname)
  return () => ({ issuer, name: displayName, clientId, cliClientId, audience })
}
