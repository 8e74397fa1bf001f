import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import jwt from 'jsonwebtoken'
import type { default as Provider } from 'oidc-provider'
import { type Browser, type BrowserPage, createBrowser } from './browser.js'

/** The claims of a user. */
export type Claims = Record<string, string | boolean>

export type ProviderKey = { id: string; privateKey: KeyObject; publicKey: KeyObject }

export type OpenIdProvider = AsyncDisposable & {
  issuer: string
  /** Figbase settings for sign-in with this provider. */
  settings: Record<string, string>
  /** Claims by login name, which is also the subject; other logins get default claims. */
  people: Map<string, Claims>
  /** The requested paths, in order. */
  requests: string[]
  key(): ProviderKey
  /** Replaces the signing key. */
  rotateKey(): void
  stop(): Promise<void>
  start(): Promise<void>
}

export type OpenIdProviderOptions = {
  /** Whether access tokens contain the user's claims, in addition to `userinfo`. */
  hasClaimsInTokens?: boolean
}

const audience = 'https://figbase.test/api'
const cliClientId = 'figbase-cli'
const scope = 'openid profile email'
const lifeSeconds = 600

/** A real OpenID Connect provider on loopback that accepts any login with any password. */
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
  const claimsOf = (name: string) => people.get(name) ?? defaultClaims(name)
  const { default: Provider } = await import('oidc-provider')
  let key = newKey()
  const createProvider = () => {
    const provider = new Provider(issuer, configuration(key, claimsOf, options))
    provider.use(userinfoForTokens(() => key, claimsOf))
    listener = provider.callback()
  }
  createProvider()
  const stop = async () => {
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
      createProvider()
    },
    stop,
    start: () => listen(port),
    [Symbol.asyncDispose]: stop,
  }
}

/** Logins named `unverified…` have an unverified e-mail address. */
const defaultClaims = (name: string): Claims => ({
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
    // A native client may use any loopback port.
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

/** Like other providers, also accepts access tokens for an API at `userinfo`; the library does not. */
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

/** Signs in as `name` with the device flow and returns the tokens of the device. */
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
  const browser = createBrowser()
  const page = await browser.visit(begun.verification_uri_complete ?? '')
  await signInAtProvider(browser, page, issuer, name)
  const { access_token: access = '', id_token: id = '' } = await post('/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: begun.device_code ?? '',
  })
  return { access, id }
}

/** Submits the forms of the provider until none is left; returns the final page. */
export async function signInAtProvider(
  browser: Browser,
  begun: BrowserPage,
  issuer: string,
  name: string,
): Promise<BrowserPage> {
  let page = begun
  while (page.url.origin === issuer && page.text.includes('<form')) {
    const isLogin = page.text.includes('name="login"')
    page = await browser.submit(page, isLogin ? { login: name, password: 'x' } : {})
  }
  return page
}
