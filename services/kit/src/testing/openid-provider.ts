import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import jwt from 'jsonwebtoken'
import type { default as Provider } from 'oidc-provider'
import { createVisitor, type Visited, type Visitor } from './visitor.js'

/** What the provider says of somebody. */
export type Claims = Record<string, string | boolean>

export type ProviderKey = { id: string; privateKey: KeyObject; publicKey: KeyObject }

export type OpenIdProvider = AsyncDisposable & {
  issuer: string
  /** The settings of a Figbase to which people sign in with it. */
  settings: Record<string, string>
  /** By the name that somebody signs in with there, which is the subject too; for others it is made of the name. */
  people: Map<string, Claims>
  /** The paths that were asked for, in order. */
  requests: string[]
  key(): ProviderKey
  /** Signs with a new key from now on, and knows no other. */
  rotateKey(): void
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

export type OpenIdProviderOptions = {
  /** Whether access tokens tell who somebody is, and not `userinfo` alone. */
  hasClaimsInTokens?: boolean
}

const audience = 'https://figbase.test/api'
const cliClientId = 'figbase-cli'
const scope = 'openid profile email'
const lifeSeconds = 600

/** A real OpenID Connect provider on loopback, where everybody can sign in as anybody, with any password. */
export async function startOpenIdProvider(
  options: OpenIdProviderOptions = {},
): Promise<OpenIdProvider> {
  const people = new Map<string, Claims>()
  const requests: string[] = []
  let listener: RequestListener = () => {}
  const server = createServer((req, res) => {
    requests.push((req.url ?? '').split('?')[0] ?? '')
    listener(req, res)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const claimsOf = (name: string) => people.get(name) ?? claimsMadeOf(name)
  const { default: Provider } = await import('oidc-provider')
  let key = newKey()
  const begin = () => {
    const provider = new Provider(issuer, configuration(key, claimsOf, options))
    provider.use(userinfoForTokens(() => key, claimsOf))
    listener = provider.callback()
  }
  begin()
  const goAway = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_NAME: 'Example University',
      OIDC_CLIENT_ID: 'figbase-web',
      OIDC_CLIENT_SECRET: 'secret of the website',
      OIDC_CLI_CLIENT_ID: cliClientId,
      OIDC_AUDIENCE: audience,
    },
    people,
    requests,
    key: () => key,
    rotateKey() {
      key = newKey()
      begin()
    },
    goAway,
    comeBack: () => listen(port),
    [Symbol.asyncDispose]: goAway,
  }
}

/** For who signs in as `unverified…`, the provider has not seen that the address is theirs. */
const claimsMadeOf = (name: string): Claims => ({
  preferred_username: name,
  email: `${name}@example.org`,
  email_verified: !name.startsWith('unverified'),
  given_name: 'Grace',
  family_name: 'Hopper',
})

function newKey(): ProviderKey {
  return { id: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) }
}

type Configuration = ConstructorParameters<typeof Provider>[1]

function configuration(
  { id, privateKey }: ProviderKey,
  claimsOf: (name: string) => Claims,
  { hasClaimsInTokens = false }: OpenIdProviderOptions,
): Configuration {
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' }
  return {
    jwks: { keys: [jwk] },
    // A native client may come from any port of loopback.
    clients: [
      {
        client_id: 'figbase-web',
        client_secret: 'secret of the website',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/sign-in/callback/'],
      },
      {
        client_id: cliClientId,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
        response_types: [],
        redirect_uris: [],
      },
    ],
    scopes: scope.split(' '),
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'given_name', 'family_name'],
      email: ['email', 'email_verified'],
    },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...claimsOf(accountId) }),
    }),
    extraTokenClaims: (_, token) =>
      hasClaimsInTokens && 'accountId' in token ? claimsOf(token.accountId ?? '') : undefined,
    features: {
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          audience: resource,
          scope,
          accessTokenFormat: 'jwt',
        }),
        useGrantedResource: () => true,
      },
    },
    cookies: { keys: [randomUUID()] },
    ttl: {
      AccessToken: lifeSeconds,
      DeviceCode: lifeSeconds,
      Grant: lifeSeconds,
      IdToken: lifeSeconds,
      Interaction: lifeSeconds,
      Session: lifeSeconds,
    },
  }
}

type Middleware = Parameters<Provider['use']>[0]

/** Others answer `userinfo` to access tokens for an API too; this provider would not by itself. */
const userinfoForTokens =
  (key: () => ProviderKey, claimsOf: (name: string) => Claims): Middleware =>
  async (ctx, next) => {
    const token = /^Bearer (.+\..+\..+)$/.exec(ctx.get('authorization'))?.[1]
    if (ctx.path !== '/me' || token === undefined) return next()
    try {
      const { sub = '' } = jwt.verify(token, key().publicKey, { algorithms: ['RS256'] })
      ctx.body = { sub: String(sub), ...claimsOf(String(sub)) }
    } catch {
      ctx.status = 401
      ctx.body = { error: 'invalid_token' }
    }
  }

export type DeviceTokens = { access: string; id: string }

/** What a script gets whose user signs in as `name`, in a browser, with the code that the script showed. */
export async function signInByDevice(
  { issuer }: Pick<OpenIdProvider, 'issuer'>,
  name: string,
  resource = audience,
): Promise<DeviceTokens> {
  const post = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: cliClientId, ...form })
    const answer = await fetch(issuer + path, { method: 'POST', body })
    return (await answer.json()) as Record<string, string>
  }
  const begun = await post('/device/auth', { scope, resource })
  const visitor = createVisitor()
  const page = await visitor.visit(begun.verification_uri_complete ?? '')
  await signInAtProvider(visitor, page, issuer, name)
  const { access_token: access = '', id_token: id = '' } = await post('/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: begun.device_code ?? '',
  })
  return { access, id }
}

/** Fills in the forms of the provider, until there are no more; answers where that led. */
export async function signInAtProvider(
  visitor: Visitor,
  begun: Visited,
  issuer: string,
  name: string,
): Promise<Visited> {
  let page = begun
  while (page.url.origin === issuer && page.text.includes('<form')) {
    const asksWho = page.text.includes('name="login"')
    page = await visitor.submit(page, asksWho ? { login: name, password: 'x' } : {})
  }
  return page
}
